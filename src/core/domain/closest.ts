/**
 * The candidate that `word` is probably a misspelling of: at most one edit in three letters away, ignoring
 * case, hyphens and underscores. Of several equally close ones the first.
 *
 * @param word the word as written
 * @param candidates the valid words
 * @returns one of the candidates, or null when none is close
 */
export function closest(word: string, candidates: readonly string[]): string | null {
  const folded = fold(word);
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const target = fold(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(folded.length, target.length) / 3));
    const distance = editDistance(folded, target);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `row_version`, `rowVersion` and `row-version` count as one word, because people mix them up. */
function fold(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '');
}

/** Letters to insert, delete, replace or swap with their neighbour to make `right` of `left`. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(cells: readonly number[], index: number): number {
  return cells[index] ?? Infinity;
}
