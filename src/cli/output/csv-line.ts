import { withoutFormula } from '../../domain/without-formula.js';

/**
 * One line of a CSV file (RFC 4180, ended by a line feed). A text that a spreadsheet would calculate gets an apostrophe
 * in front: keys and reasons come from elsewhere. Pure.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(',')}\n`;
}

function cellText(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = withoutFormula(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
