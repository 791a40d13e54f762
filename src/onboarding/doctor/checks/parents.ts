import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

export const parents = entityCheck({
  id: 'parents',
  levels: ['warn'],
  looksAt:
    'records whose parent (the company of a vacancy, the institution of a training) is not in the parent’s query',
  remedy:
    'Return these parents from their query, or leave the records out. They wait until the parent comes, and `run` ends with exit code 3.',
  judge: ({ entity, rows }) => {
    if (entity.parent === null) return [];
    const { entity: parent, column } = entity.parent;
    return judged(rows, ({ orphans }) => {
      if (orphans === null) return [];
      return judged(orphans, ({ count, sample }) =>
        count === 0
          ? [pass(`every ${column} is in the query of ${parent}`)]
          : [
              warn(
                `${count.toLocaleString('en-US')} ${count === 1 ? entity.noun.one : entity.noun.many} without ${parent}: no such ${column} in the query of ${parent}`,
                `Compare the conditions of both queries: return these ${parent}, or leave their ${entity.noun.many} out.`,
                { count, sample },
              ),
            ],
      );
    });
  },
});
