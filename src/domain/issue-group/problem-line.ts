export interface ProblemLine {
  /** What is wrong, and what follows from it. */
  readonly problem: string;
  /** What to do, as a sentence; null: nothing is known. */
  readonly hint: string | null;
  readonly sampleKeys: readonly string[];
  /** Records that it is about. */
  readonly count: number;
}

/** A problem, what to do about it, and a few keys, as one line. Pure. */
export function problemLine({ problem, hint, sampleKeys, count }: ProblemLine): string {
  const toDo = hint === null ? '' : `; ${asClause(hint)}`;
  const more = count > sampleKeys.length ? ', …' : '';
  const keys = sampleKeys.length === 0 ? '' : ` (${sampleKeys.join(', ')}${more})`;
  return `${problem}${toDo}${keys}`;
}

/** A sentence as the end of another one. A name in capitals stays. */
function asClause(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
