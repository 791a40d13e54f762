/** A question that nobody has answered. */
export interface OpenDecision {
  readonly question: string;
  /** In the query's text, from 1. */
  readonly line: number;
  /** The column of the result that it is about; null: a condition, or the query as a whole. */
  readonly column: string | null;
  /** What is offered below it, still commented out. */
  readonly offered: 'condition' | 'column' | null;
}

const QUESTION = /^(.*?)--\s*decide:\s*(.*)$/i;
const COMMENT = /^\s*--\s?(.*)$/;
/** The condition or the column that a draft offers, still commented out. */
const CONDITION = /^\s*--\s*and\b/i;
const RESULT = /^\s*--\s*\S.* as \w+,$/i;
const TAKEN = /^\s*and\b/i;
const FIRST_RESULT = /\bas\s+"?(\w+)"?\s*(?:,|--|$)/i;
const LAST_RESULT = /\bas\s+"?(\w+)"?\s*(?:,\s*)?$/i;
/** Not in the list of columns: it begins, or is over. */
const NO_COLUMN = /^\s*(select|from|where|left|join|group)\b/i;
const LONGEST_EXPRESSION = 20;

/**
 * The questions of a drafted query that nobody has answered: its comments with `decide:`. One whose condition is no longer
 * commented out is answered. Pure.
 */
export function openDecisions(sql: string): readonly OpenDecision[] {
  const lines = sql.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const [, before = '', begin] = QUESTION.exec(line) ?? [];
    if (begin === undefined) return [];
    const rest: string[] = [];
    let next = at + 1;
    for (; next < lines.length && continues(lines[next] ?? ''); next += 1)
      rest.push(COMMENT.exec(lines[next] ?? '')?.[1]?.trim() ?? '');
    if (before.trim() === '' && TAKEN.test(lines[next] ?? '')) return [];
    const offered = offeredBy(lines[next] ?? '');
    const column =
      offered !== null
        ? null
        : (LAST_RESULT.exec(before)?.[1] ?? columnBelow(lines.slice(next, next + LONGEST_EXPRESSION)));
    return [{ question: [begin.trim(), ...rest].join(' '), line: at + 1, column, offered }];
  });
}

/** A long question goes on in the next comment. */
function continues(line: string): boolean {
  return COMMENT.test(line) && !QUESTION.test(line) && offeredBy(line) === null;
}

function offeredBy(line: string): OpenDecision['offered'] {
  if (CONDITION.test(line)) return 'condition';
  return RESULT.test(line) ? 'column' : null;
}

/** The name of the first column in these lines of the list; its expression may take several. */
function columnBelow(lines: readonly string[]): string | null {
  for (const line of lines) {
    if (NO_COLUMN.test(line)) return null;
    const column = COMMENT.test(line) ? undefined : FIRST_RESULT.exec(line)?.[1];
    if (column !== undefined) return column;
  }
  return null;
}
