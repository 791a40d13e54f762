import { entityCheck } from '../check.js';
import type { JoinLoss } from '../facts.js';
import { pass, undone, warn, type Verdict } from '../finding.js';
import { judged } from '../learned.js';

export const joins = entityCheck({
  id: 'joins',
  levels: ['warn'],
  looksAt:
    'rows of the base table that fulfil the query’s conditions on it and that a join leaves out: JOIN with ON, USING or NATURAL, tables with commas, also within a CTE; what could not be looked at',
  remedy: 'Write LEFT JOIN, unless these rows are left out on purpose.',
  judge: ({ losses }) =>
    judged(losses, (found) => {
      const verdicts = [
        ...found.losses.map(verdictOf),
        ...found.unseen.map((part) => undone(`whether joins lose rows: ${part} could not be looked at`)),
      ];
      return verdicts.length > 0 ? verdicts : [pass('no rows are lost by an inner join')];
    }),
});

function verdictOf({ base, join, isList, count, sample }: JoinLoss): Verdict {
  const rows = `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
  const what = isList ? `the list of tables with ${join}` : `the inner join of ${join}`;
  const instead = isList ? `left join ${join} on … instead of the list` : `left join ${join}`;
  return warn(
    `${what} loses ${rows} of ${base} that have no match there`,
    `Write ${instead}, unless these rows are left out on purpose.`,
    { count, sample },
  );
}
