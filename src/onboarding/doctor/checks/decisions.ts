import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { openDecisions, type OpenDecision } from '../sql/open-decisions.js';

export const decisions = entityCheck({
  id: 'decisions',
  levels: ['warn'],
  looksAt: 'questions that `init` left in the query: comments with `decide:`, with file, line and column',
  remedy:
    'Decide, then uncomment the condition below the question, or correct the column; and delete the question.',
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

function hintOf({ column, offered, line }: OpenDecision): string {
  if (offered) return 'Uncomment the condition below the question, or delete both if the query needs none.';
  return column === null
    ? `Correct the query if need be; then delete the comment in line ${line}.`
    : `Correct the expression of ${column} if need be; then delete the comment in line ${line}.`;
}
