import { entityCheck } from '../check.js';
import { fail, pass } from '../finding.js';
import { judged } from '../learned.js';

/** Columns that say which row it is; their text is no moment. */
const OWN = ['key', 'row_version'];

export const zone = entityCheck({
  id: 'zone',
  levels: ['fail'],
  looksAt: 'timestamps without time zone while `source.timeZone` is not set',
  remedy: 'Set `source.timeZone` to the zone in which the application writes them.',
  judge: ({ columns }, { settings }) =>
    judged(columns, (found) => {
      const zoneless = found
        .filter(({ name, type }) => type === 'timestamp without time zone' && !OWN.includes(name))
        .map(({ name }) => name);
      const { timeZone } = settings.source;
      if (zoneless.length === 0) return [pass('no timestamps without time zone')];
      if (timeZone !== null) return [pass(`${zoneless.join(', ')} is read in ${timeZone}`)];
      return [
        fail(
          `${zoneless.join(', ')} has no time zone, and source.timeZone is not set: ${settings.platformTimeZone} is assumed, and days may be wrong by one`,
          'Set source.timeZone to the zone in which your application writes it (often UTC or Asia/Jakarta).',
        ),
      ];
    }),
});
