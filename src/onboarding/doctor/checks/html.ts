import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judgedRows } from '../judged-rows.js';

export const html = entityCheck({
  id: 'html',
  levels: ['warn'],
  looksAt: 'HTML in columns that are not in `plainText`',
  remedy: 'Add the column to `entities.ENTITY.plainText`.',
  judge: ({ entity, rows }) =>
    judgedRows(rows, ({ html: found }) => {
      if (found.length === 0) return [pass('no HTML outside of plainText')];
      const all = [...entity.mapContext.plainText, ...found.map(({ column }) => column)];
      return found.map(({ column, count, sample }) =>
        warn(
          `${column} has HTML in ${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}, and it is sent as it is`,
          `entities.${entity.name}.plainText: [${all.join(', ')}]`,
          { count, sample },
        ),
      );
    }),
});
