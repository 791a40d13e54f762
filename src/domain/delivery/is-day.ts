/** Whether the text is a day that exists, as `2026-01-31`, of the 20th to the 22nd century. Pure. */
export function isDay(text: string): boolean {
  const ms = /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse rolls over to the next month instead of refusing.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
