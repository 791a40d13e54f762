const DAY_MS = 86_400_000;

/** Days that a report has when nobody says which. */
const USUAL_DAYS = 30;

/**
 * The days of a report: where none is named, thirty of them until today. Null: it would end before it begins. All days
 * are `YYYY-MM-DD`; `today` is that of the platform's zone. Pure.
 */
export function reportDays(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } | null {
  const last = to ?? today;
  const first = from ?? earlier(last, USUAL_DAYS - 1);
  return first > last ? null : { from: first, to: last };
}

function earlier(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}
