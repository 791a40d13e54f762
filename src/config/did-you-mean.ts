import { closest } from '../domain/closest.js';

/**
 * @param word what somebody wrote
 * @param candidates what would have been right
 * @returns `; did you mean "x"?`, or else the list to choose from: `; one of: a, b`. To append to a sentence.
 */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const close = closest(word, candidates);
  if (close !== null) return `; did you mean "${close}"?`;
  return candidates.length === 0 ? '' : `; known here: ${candidates.join(', ')}`;
}
