import { entityCheck } from '../check.js';
import type { JoinLoss } from '../facts.js';
import { pass, undone, warn, type Verdict } from '../finding.js';
import { judged } from '../learned.js';
import { leftOutOnPurpose } from '../sql/left-out-on-purpose.js';

export const joins = entityCheck({
  id: 'joins',
  levels: ['warn'],
  looksAt:
    'rows of the base table that fulfil the query’s conditions on it and that a join leaves out: JOIN with ON, USING or NATURAL, tables with commas, also within a CTE; what could not be looked at',
  remedy:
    'Write LEFT JOIN. Rows that are left out on purpose: name the join in a comment of the query (`-- join NAME`), and doctor is silent about it.',
  judge: ({ entity, losses }) =>
    judged(losses, (found) => {
      const open = found.losses.filter(({ names }) => !leftOutOnPurpose(entity.query.sql, names));
      const verdicts = [
        ...open.map(verdictOf),
        ...found.unseen.map((part) => undone(`whether joins lose rows: ${part} could not be looked at`)),
      ];
      if (verdicts.length > 0) return verdicts;
      const others = found.losses.length > 0 ? ' but those that the query names in a comment' : '';
      return [pass(`no rows are lost by an inner join${others}`)];
    }),
});

function verdictOf({ base, join, isList, count, sample }: JoinLoss): Verdict {
  const rows = `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
  const what = isList ? `the list of tables with ${join}` : `the inner join of ${join}`;
  const instead = isList ? `left join ${join} on … instead of the list` : `left join ${join}`;
  return warn(
    `${what} loses ${rows} of ${base} that have no match there`,
    `Write ${instead}. If these rows are left out on purpose, say so in a comment of the query, and doctor is silent: -- join ${join}`,
    { count, sample },
  );
}
