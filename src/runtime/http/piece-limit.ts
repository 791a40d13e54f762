/** Pieces that any body may have, and bytes that each further piece must have on average. */
const FREE_PIECES = 1_000;
const BYTES_PER_PIECE = 256;

/**
 * Counts the pieces of a body; false: far too many pieces for so few bytes. A chunk of one byte costs six on the
 * wire, and as much time as one of 64 KB.
 */
export function createPieceLimit(): (bytes: number) => boolean {
  let left = FREE_PIECES * BYTES_PER_PIECE;
  return (bytes) => {
    left += bytes - BYTES_PER_PIECE;
    return left >= 0;
  };
}
