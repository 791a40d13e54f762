const DAY_MS = 86_400_000;

/**
 * Moment `days` after (or before) the day `today` (`YYYY-MM-DD`), at a time of day in western Indonesia, as text
 * with its offset: an early morning there is still the day before in UTC.
 */
export function moment(today: string, days: number, time = '09:15:00'): string {
  const day = new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return `${day}T${time}+07:00`;
}
