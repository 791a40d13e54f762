import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

export const joins = entityCheck({
  id: 'joins',
  levels: ['warn'],
  looksAt: 'rows of the base table that fulfil the query’s conditions and that an inner join leaves out',
  remedy: 'Write LEFT JOIN, unless these rows are left out on purpose.',
  judge: ({ losses }) =>
    judged(losses, (found) =>
      found.length === 0
        ? [pass('no rows are lost by an inner join, as far as the query shows')]
        : found.map(({ base, join, count, sample }) =>
            warn(
              `the inner join of ${join} loses ${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'} of ${base} that have no match there`,
              `Write left join ${join}, unless these rows are left out on purpose.`,
              { count, sample },
            ),
          ),
    ),
});
