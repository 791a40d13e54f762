import { entityCheck } from '../check.js';
import type { FlagColumn } from '../facts.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

export const publication = entityCheck({
  id: 'publication',
  levels: ['warn'],
  looksAt:
    'columns of the base table that look like publication or deletion (`status`, `deleted`, `discard`, `archiv`, `publish`, `activ`, `draft`, `visib`, `confirm`, `type`) and that the query does not use',
  remedy:
    'Add a condition to WHERE. A column that needs none: name it in a comment of the query, and doctor is silent about it.',
  judge: ({ flags }) =>
    judged(flags, (found) => {
      const open = found.filter((flag) => !isConstant(flag));
      if (open.length === 0) return [pass('no unused column looks like publication or deletion')];
      return open.map((flag) =>
        warn(
          `${flag.table}.${flag.column} (${flag.type}${valuesOf(flag)}) looks like publication or deletion, and the query does not use it`,
          `Add a condition to WHERE, or name ${flag.column} in a comment of the query if it needs none.`,
        ),
      );
    }),
});

/** One word in all rows says nothing; a flag or a time may change tomorrow. */
function isConstant({ type, values }: FlagColumn): boolean {
  return values !== null && values.length === 1 && !/^(boolean|date|timestamp)/.test(type);
}

function valuesOf({ values }: FlagColumn): string {
  if (values === null || values.length === 0) return '';
  return `: ${values.map(({ value, count }) => `${value ?? 'null'} ${count.toLocaleString('en-US')}`).join(', ')}`;
}
