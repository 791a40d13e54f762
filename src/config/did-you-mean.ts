import { closest } from '../domain/closest.js';

/**
 * @param word the word as written
 * @param candidates the known words
 * @returns `; did you mean "x"?`, else the list to choose from, `; known here: a, b`. To append to a sentence.
 */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const close = closest(word, candidates);
  if (close !== null) return `; did you mean "${close}"?`;
  return candidates.length === 0 ? '' : `; known here: ${candidates.join(', ')}`;
}
