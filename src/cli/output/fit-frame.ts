/**
 * A text that fits a screen of so many rows: what is too much is left out at the end, and counted. Undefined, or 0 of a
 * terminal that does not know: all of it. Pure.
 */
export function fitFrame(text: string, rows: number | undefined): string {
  const lines = text.replace(/\n$/, '').split('\n');
  // The last row stays free: a line feed there would scroll the first one away.
  const room = (rows ?? 0) - 1;
  if (room < 2 || lines.length <= room) return text;
  const shown = lines.slice(0, room - 1);
  return `${[...shown, `… ${lines.length - shown.length} more lines need a taller window.`].join('\n')}\n`;
}
