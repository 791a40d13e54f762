/** Whether the text is a day that exists, as `2026-01-31`. Pure. */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse rolls over to the next month instead of refusing.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
