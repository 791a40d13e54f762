import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { openDecisions, type OpenDecision } from '../sql/open-decisions.js';

export const decisions = entityCheck({
  id: 'decisions',
  levels: ['warn'],
  looksAt: 'questions that `init` left in the query: comments with `decide:`, with file, line and column',
  remedy:
    'Decide, then uncomment the condition below the question, or correct the column; and delete the question. If the query needs no condition, replace both lines by a comment that names the column, such as `-- deleted_at: not needed`.',
  judge({ entity }) {
    const { file, sql } = entity.query;
    const open = openDecisions(sql);
    if (open.length === 0) return [pass('no open decisions')];
    return open.map((decision) => {
      const { question, line, column } = decision;
      const about = column === null ? '' : `${column}: `;
      return warn(`still to be decided: ${about}${question} (${file}:${line})`, hintOf(decision));
    });
  },
});

/** The column that a question about conditions names: `which rows are published? state: 1 5,210`. */
const ASKED = /\?\s+([^\s:]+):/;

function hintOf({ question, column, offered, line }: OpenDecision): string {
  if (offered === 'column') return 'Uncomment the column below the question, or delete both.';
  if (offered === 'condition') {
    const asked = ASKED.exec(question)?.[1] ?? 'deleted_at';
    return `Uncomment the condition below the question. If the query needs none, replace both lines by a comment that names the column, such as -- ${asked}: not needed`;
  }
  return column === null
    ? `Correct the query if need be; then delete the comment in line ${line}.`
    : `Correct the expression of ${column} if need be; then delete the comment in line ${line}.`;
}
