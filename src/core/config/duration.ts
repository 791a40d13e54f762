/* How durations are written. Loads no library: the options of commands have durations, too. */

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const FORM = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

/** The form as a regular expression for other programs; blanks around it are allowed as `parseDuration` does. */
export const DURATION_PATTERN = `^\\s*${FORM.source.slice(1, -1)}\\s*$`;

/** How a duration is written, for messages. */
export const DURATION_FORM = 'a duration such as 500ms, 30s, 10m, 6h or 7d';

/**
 * @param text `500ms`, `30s`, `10m`, `6h` or `7d`; fractions (`1.5h`) are allowed
 * @returns whole milliseconds, or null when the text has another form
 */
export function parseDuration(text: string): number | null {
  const match = FORM.exec(text.trim());
  if (match === null) return null;
  const [, amount, unit] = match;
  const ms = Math.round(Number(amount) * UNITS[unit as keyof typeof UNITS]);
  return Number.isSafeInteger(ms) ? ms : null;
}
