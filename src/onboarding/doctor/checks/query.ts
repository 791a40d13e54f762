import { entityCheck } from '../check.js';
import { fail, pass } from '../finding.js';

export const query = entityCheck({
  id: 'query',
  levels: ['fail'],
  looksAt:
    'whether the query runs and returns the columns of its entity: none unknown, none twice, none that is required missing',
  remedy:
    'The message names the column, or line and column in the file. `docs/reference/columns.md` lists the columns.',
  judge({ entity, rows, columns }) {
    const { file } = entity.query;
    if ('cause' in rows)
      return [fail(rows.cause, rows.hint ?? `Try ${file} in psql with the role of source.url.`)];
    const { read, extent } = rows.value;
    const count = { count: read };
    const names = 'value' in columns ? columns.value : [];
    const types = names.map(({ name, type }) => `${name} ${type}`).join(', ');
    const part = {
      all: `${amount(read)} rows`,
      time: `the first ${amount(read)} rows were read in the time for it; the other checks of rows are about them`,
      sample: `it takes too long; a sample of ${amount(read)} rows was read, and the other checks of rows are about it`,
    };
    return [pass(`${part[extent]}; columns: ${types === '' ? rows.value.columns.join(', ') : types}`, count)];
  },
});

function amount(count: number): string {
  return count.toLocaleString('en-US');
}
