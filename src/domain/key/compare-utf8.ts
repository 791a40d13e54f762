/**
 * Compares two texts as their UTF-8 bytes would compare, without encoding them: the order of Postgres'
 * `COLLATE "C"`. JavaScript's own `<` compares UTF-16 units, where an emoji (a surrogate pair, D83D…) sorts before
 * U+FF21 although its bytes sort after.
 *
 * @returns below 0, 0 or above 0
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates (D800–DFFF), which stand for code points above FFFF, behind E000–FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
