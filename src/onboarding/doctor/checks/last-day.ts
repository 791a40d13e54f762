import { entityCheck } from '../check.js';
import type { EntityFacts } from '../facts.js';
import { pass, undone, warn } from '../finding.js';
import { judged } from '../learned.js';

export const lastDay = entityCheck({
  id: 'last-day',
  levels: ['warn'],
  looksAt: 'records whose last day is another one in the zone of the source than in `platform.timeZone`',
  remedy:
    "Return a date from the query: `(column at time zone 'Asia/Jakarta')::date`, in the zone of the people who set the day.",
  judge: ({ entity, day, columns, rows, zones }, { settings }) => {
    const { lastDay: name } = entity;
    if (name === null) return [];
    if ('value' in columns && !columns.value.some((column) => column.name === name))
      return [pass(`the query has no ${name}`)];
    if (settings.source.timeZone === null && hasNoZone(name, columns, rows))
      return [undone(`${name} has no time zone, and source.timeZone is not set`)];
    return judged(day, (found) => {
      if (found === null) {
        // The check `session-zone` has it.
        const depends = 'value' in zones && zones.value?.columns.includes(name);
        return depends ? [] : [pass('the last day does not depend on a time zone')];
      }
      const { column, count, sample, zones: pair } = found;
      return [
        warn(
          `the day of ${column} depends on the time zone in ${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}: it is another one in ${pair[0]} than in ${pair[1]}`,
          `Say which day is meant, in the query: (${column} at time zone '${pair[0]}')::date, or another zone.`,
          { count, sample },
        ),
      ];
    });
  },
});

/** A timestamp without zone, or a text with a time that has none. */
function hasNoZone(name: string, columns: EntityFacts['columns'], rows: EntityFacts['rows']): boolean {
  const type = 'value' in columns ? columns.value.find((column) => column.name === name)?.type : undefined;
  const groups = 'value' in rows ? rows.value.groups : [];
  return (
    type === 'timestamp without time zone' ||
    groups.some(({ code, field }) => code === 'zone' && field === name)
  );
}
