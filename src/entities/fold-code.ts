/**
 * The form in which codes are compared: trimmed, inner blanks collapsed, case folded. Upper case first, so that
 * `ß` and `SS`, or `σ` and final `ς`, fold to one.
 */
export function foldCode(code: string): string {
  return code.trim().replace(/\s+/g, ' ').toUpperCase().toLowerCase();
}
