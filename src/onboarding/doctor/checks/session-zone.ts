import { entityCheck } from '../check.js';
import type { ZoneFacts } from '../facts.js';
import { pass, undone, warn } from '../finding.js';
import { judged } from '../learned.js';

export const sessionZone = entityCheck({
  id: 'session-zone',
  levels: ['warn'],
  looksAt:
    'columns and rows that depend on the session’s time zone, such as `to_timestamp(x)::date`, `current_date` and `now()::timestamp`: the query runs once more in other zones',
  remedy:
    "Name the zone in the query: `(to_timestamp(x) at time zone 'Asia/Jakarta')::date`, `(now() at time zone 'Asia/Jakarta')::date`. Or set `source.sessionTimeZone`.",
  judge: ({ zones, stable }, { settings }) =>
    judged(zones, (found) => {
      if ('value' in stable && !stable.value) return [undone('two passes of the query give different rows')];
      if (found === null) return [pass('the rows do not depend on the time zone of the session')];
      const { sessionTimeZone } = settings.source;
      if (sessionTimeZone !== null)
        return [
          pass(
            `${subjectOf(found)} the time zone of the session, which is ${sessionTimeZone} (source.sessionTimeZone)`,
          ),
        ];
      const { count, sample, zones: pair } = found;
      const rows =
        count === 0
          ? `no row differs between ${pair[0]} and ${pair[1]} at present`
          : `${count.toLocaleString('en-US')} ${count === 1 ? 'row differs' : 'rows differ'} between ${pair[0]} and ${pair[1]}`;
      return [
        warn(`${subjectOf(found)} the time zone of the session: ${rows}`, hintOf(found), { count, sample }),
      ];
    }),
});

function subjectOf({ columns, isSelective }: ZoneFacts): string {
  if (isSelective) return 'which rows the query returns depends on';
  return `${columns.join(', ')} ${columns.length === 1 ? 'depends' : 'depend'} on`;
}

function hintOf({ isSelective }: ZoneFacts): string {
  const named = isSelective
    ? "(now() at time zone 'Asia/Jakarta')::date instead of current_date, and now() at time zone with the zone of the column instead of now() or now()::timestamp where the column has no zone"
    : "(to_timestamp(…) at time zone 'Asia/Jakarta')::date instead of to_timestamp(…)::date, and (column at time zone 'Asia/Jakarta')::date instead of column::date";
  return `Name the zone in the query: ${named}. Or set source.sessionTimeZone.`;
}
