import { visibleText, withoutFormula } from '../../domain/text.js';

/**
 * One line of a CSV file (RFC 4180, ended by a line feed). Keys and reasons come from elsewhere: what a spreadsheet would
 * calculate gets an apostrophe in front, and a character that a terminal obeys is written as `\u001b`. A file is the same
 * as what a terminal shows: whoever looks at it later is as safe. Pure.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(',')}\n`;
}

function cellText(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = withoutFormula(visibleText(cell));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
