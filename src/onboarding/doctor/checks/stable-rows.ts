import { entityCheck } from '../check.js';
import { fail, pass, undone, warn } from '../finding.js';
import { unorderedAggregates } from '../sql/unordered-aggregates.js';

const HINT = "Write the order into the aggregate: string_agg(name, ',' order by name).";

export const stableRows = entityCheck({
  id: 'stable-rows',
  levels: ['warn', 'fail'],
  looksAt: 'aggregates without ORDER BY, and whether two plans of the query give the same rows',
  remedy:
    'Write ORDER BY into `string_agg`, `array_agg` and `jsonb_agg`: otherwise unchanged records are sent again.',
  judge({ entity, stable }) {
    const unordered = unorderedAggregates(entity.query.sql);
    const named = unordered.length === 0 ? '' : `: ${unordered.join(', ')} has no ORDER BY`;
    if ('value' in stable && !stable.value) {
      return [
        fail(
          `two plans of the query give different rows${named}: unchanged records would be sent again and again`,
          unordered.length > 0
            ? HINT
            : 'Look for an aggregate or a LIMIT without ORDER BY (also in views), or random().',
        ),
      ];
    }
    if (unordered.length > 0)
      return [warn(`${unordered.join(', ')} has no ORDER BY: its text may change from plan to plan`, HINT)];
    return 'cause' in stable ? [undone(stable.cause)] : [pass('two plans of the query give the same rows')];
  },
});
