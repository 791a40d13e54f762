import { entityCheck } from '../check.js';
import { fail, pass, undone } from '../finding.js';

/** Columns that say which row it is; their text is no moment. */
const OWN = ['key', 'row_version'];

export const zone = entityCheck({
  id: 'zone',
  levels: ['fail'],
  looksAt: 'timestamps without time zone while `source.timeZone` is not set',
  remedy: 'Set `source.timeZone` to the zone in which the application writes them.',
  judge({ columns, rows }, { settings }) {
    if ('cause' in columns) return [undone(columns.cause)];
    const { timeZone } = settings.source;
    const typed = columns.value
      .filter(({ name, type }) => type === 'timestamp without time zone' && !OWN.includes(name))
      .map(({ name }) => name);
    // Texts with a time, which only the map can see.
    const seen = 'value' in rows ? rows.value.groups.filter(({ code }) => code === 'zone') : [];
    const names = [...new Set([...typed, ...seen.flatMap(({ field }) => field ?? [])])];
    if (names.length === 0) return [pass('no column of the result is a time without time zone')];
    const [largest] = seen;
    const text = names.join(', ');
    if (timeZone !== null) return [pass(`${text}: read in ${timeZone}`)];
    return [
      fail(
        `${text} ${names.length === 1 ? 'has' : 'have'} no time zone, and source.timeZone is not set: ${settings.platformTimeZone} is assumed, and days may be wrong by one`,
        'Set source.timeZone to the zone in which your application writes it (often UTC or Asia/Jakarta).',
        largest === undefined ? {} : { count: largest.count, sample: largest.sampleKeys },
      ),
    ];
  },
});
