import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

export const lastDay = entityCheck({
  id: 'last-day',
  levels: ['warn'],
  looksAt: 'records whose last day is another one in the zone of the source than in `platform.timeZone`',
  remedy:
    "Return a date from the query: `(column at time zone 'Asia/Jakarta')::date`, in the zone of the people who set the day.",
  judge: ({ entity, day }) =>
    entity.lastDay === null
      ? []
      : judged(day, (found) => {
          if (found === null) return [pass('the last day does not depend on a time zone')];
          const { column, count, sample, zones } = found;
          return [
            warn(
              `the day of ${column} depends on the time zone in ${count.toLocaleString('en-US')} rows: it is another one in ${zones[0]} than in ${zones[1]}`,
              `Say which day is meant, in the query: (${column} at time zone '${zones[0]}')::date, or another zone.`,
              { count, sample },
            ),
          ];
        }),
});
