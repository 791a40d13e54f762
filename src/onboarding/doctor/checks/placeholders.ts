import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import type { Placeholder } from '../rows/placeholder-tally.js';

export const placeholders = entityCheck({
  id: 'placeholders',
  levels: ['warn'],
  looksAt:
    'values that stand for “unknown”: the same e-mail address, telephone number or picture in more than a tenth of the rows, reserved names (`example.com`, `.example`, `.test`, `test@…`), coordinates 0/0. One line for each column, one for all reserved names',
  remedy: 'Return null for them: `nullif(column, …)`. Reserved names are right in test data.',
  judge: ({ rows }) =>
    judgedRows(rows, ({ placeholders: found, read }) =>
      found.length === 0
        ? [pass('no placeholder values')]
        : found.map((placeholder) => {
            const { count, sample } = placeholder;
            return warn(textOf(placeholder, read), hintOf(placeholder), { count, sample });
          }),
    ),
});

function textOf(placeholder: Placeholder, read: number): string {
  const { kind, count } = placeholder;
  const rows = `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
  if (kind === 'origin') return `latitude and longitude are 0 in ${rows}`;
  if (kind === 'reserved') {
    const columns = placeholder.columns.map((each) => `${each.column} ${each.count.toLocaleString('en-US')}`);
    return `${rows} ${count === 1 ? 'has an address that leads' : 'have addresses that lead'} nowhere (${placeholder.names.join(', ')}): ${columns.join(', ')}`;
  }
  const { column, shown } = placeholder;
  const named = [...new Set(shown.filter((text) => text !== ''))].join(', ');
  const values = named === '' ? '' : ` (${named})`;
  const of = `${rows} of ${read.toLocaleString('en-US')}`;
  return shown.length === 1
    ? `${column} is the same${values} in ${of}`
    : `${column} has ${shown.length} values${values} that stand in more than a tenth of the rows each, together in ${of}`;
}

function hintOf(placeholder: Placeholder): string {
  if (placeholder.kind === 'origin')
    return 'Return null for both: case when latitude = 0 and longitude = 0 then null else latitude end.';
  if (placeholder.kind === 'repeated')
    return `If it is a placeholder, return null: nullif(${placeholder.column}, …).`;
  return 'Nothing to do for test data. In production, return null for them, so that nobody writes to such an address.';
}
