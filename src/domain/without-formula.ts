/**
 * What a spreadsheet would take for a formula: at the begin, and behind what ends a cell where lists are separated by a
 * semicolon, as in Indonesia, or by a tab. Quotes do not help there: they begin within a cell.
 */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\t\r])/g;

/** A text as a cell of CSV: what a spreadsheet would calculate gets an apostrophe in front. Pure. */
export function withoutFormula(text: string): string {
  return text.replace(FORMULA, "$1'");
}
