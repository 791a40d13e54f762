import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';
import type { Placeholder } from '../rows/placeholder-tally.js';

export const placeholders = entityCheck({
  id: 'placeholders',
  levels: ['warn'],
  looksAt:
    'values that stand for “unknown”: the same e-mail address, telephone number or picture in more than a tenth of the rows, `example.com`, coordinates 0/0',
  remedy: 'Return null for them: `nullif(column, …)`.',
  judge: ({ rows }) =>
    judged(rows, ({ placeholders: found, read }) =>
      found.length === 0
        ? [pass('no placeholder values')]
        : found.map((placeholder) => {
            const { count, sample, kind, column } = placeholder;
            const hint =
              kind === 'origin'
                ? 'Return null for both: case when latitude = 0 and longitude = 0 then null else latitude end.'
                : `If it is a placeholder, return null: nullif(${column}, …).`;
            return warn(textOf(placeholder, read), hint, { count, sample });
          }),
    ),
});

function textOf({ kind, column, shown, count }: Placeholder, read: number): string {
  const rows = `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
  if (kind === 'origin') return `latitude and longitude are 0 in ${rows}`;
  if (kind === 'example') return `${column} is an address of an example domain (${shown}) in ${rows}`;
  const value = shown === '' ? '' : ` (${shown})`;
  return `${column} is the same${value} in ${rows} of ${read.toLocaleString('en-US')}`;
}
