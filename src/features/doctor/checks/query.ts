import { counted, grouped, plural } from '../../../core/domain/text.js';
import { entityCheck } from '../check.js';
import type { DoctorSettings, JoinLoss, ReadColumn } from '../facts.js';
import { fail, judged, pass, undone, type Verdict, warn } from '../finding.js';
import { leftOutOnPurpose, openDecisions } from '../sql/conditions.js';
import { placeOf } from '../sql/sources.js';

/**
 * Checks of each entity's query: whether it runs, what it returns, what its joins, zones and conditions do.
 */

/** Not about the content of the body. */
const OWN = ['key', 'row_version'];

export const columns = entityCheck({
  id: 'columns',
  levels: ['warn'],
  looksAt: 'columns that are null in all rows; a query without rows',
  passes: 'no column is null in all rows',
  judge: ({ entity, rows }) =>
    judged(rows, ({ read, values }) => {
      const count = { count: read };
      if (read === 0)
        return [
          warn('the query returns no rows', 'Look at its conditions, and at the rights of the role.', count),
        ];
      const empty = entity.columns
        .filter(({ name, required }) => !required && !OWN.includes(name) && values.get(name)?.absent === read)
        .map(({ name }) => name);
      if (empty.length === 0) return [];
      return [
        warn(
          `null in all rows: ${empty.join(', ')}`,
          'Look whether another column or table has the value; else leave it out of the query.',
          count,
        ),
      ];
    }),
});

export const query = entityCheck({
  id: 'query',
  levels: ['fail'],
  looksAt:
    'whether the query runs and returns the columns of its entity: none unknown, none twice, none that is required missing',
  judge({ entity, rows }) {
    const { file } = entity.query;
    if ('cause' in rows)
      return [fail(rows.cause, rows.hint ?? `Try ${file} in psql with the role of source.url.`)];
    const { read, extent, columns } = rows.value;
    const part = {
      all: `${grouped(read)} rows`,
      time: `the first ${grouped(read)} rows were read in the time for it; the other checks of rows are about them`,
      sample: `it takes too long; a sample of ${grouped(read)} rows was read, and the other checks of rows are about it`,
    };
    return [pass(`${part[extent]}; columns: ${columns.join(', ')}`, { count: read })];
  },
});

export const zone = entityCheck({
  id: 'zone',
  levels: ['warn', 'fail'],
  looksAt:
    'timestamps without time zone while `source.timeZone` is not set; days that are taken in UTC, or in the zone of the session: `to_timestamp(x)::date`',
  passes: 'no column of the result is a time without time zone',
  judge({ entity, columns, rows, sources }, { settings }) {
    if ('cause' in columns) return [undone(columns.cause)];
    const { timeZone } = settings.source;
    const shifted =
      'value' in sources
        ? sources.value.columns.flatMap((each) => zoneVerdict(each, settings.source, entity.query))
        : [];
    if (shifted.length > 0) return shifted;
    const typed = columns.value
      .filter(({ name, type }) => type === 'timestamp without time zone' && !OWN.includes(name))
      .map(({ name }) => name);
    // Texts with a time, which only the map can see.
    const seen = 'value' in rows ? rows.value.groups.filter(({ code }) => code === 'zone') : [];
    const names = [...new Set([...typed, ...seen.flatMap(({ field }) => field ?? [])])];
    if (names.length === 0) return [];
    const [largest] = seen;
    const text = names.join(', ');
    if (timeZone !== null) return [pass(`${text}: read in ${timeZone}`)];
    return [
      fail(
        `${text} ${plural(names.length, 'has', 'have')} no time zone, and source.timeZone is not set: ${settings.platformTimeZone} is assumed, and days may be wrong by one`,
        'Set source.timeZone to the zone in which your application writes it (often UTC or Asia/Jakarta).',
        largest === undefined ? {} : { count: largest.count, sample: largest.sampleKeys },
      ),
    ];
  },
});

/** A time that is taken apart in UTC, or in whatever zone the session has, has another day there than where it is read. */
function zoneVerdict(
  { name, sql, sources }: ReadColumn,
  { timeZone, sessionTimeZone }: DoctorSettings['source'],
  query: Parameters<typeof placeOf>[0],
): readonly Verdict[] {
  const zones = [...sql.matchAll(/at\s+time\s+zone\s+'([^']+)'/gi)].map(([, zone = '']) => zone);
  const [zone, second] = zones;
  const source = sources.find(({ joins }) => !joins)?.column;
  const kind = source?.kind;
  if (OWN.includes(name) || /utc/i.test(source?.name ?? '')) return [];
  const isMoment = kind === 'timestamptz' || /\bto_timestamp\s*\(/i.test(sql);
  if (zone === undefined && isMoment && sessionTimeZone === null && DAY_OF.test(sql))
    return [
      warn(
        `${name} is a day in the time zone of the session, and a day may end elsewhere where it is read${placeOf(query, name)}`,
        `Name the zone: (… at time zone 'Asia/Jakarta')::date. Or set source.sessionTimeZone.`,
      ),
    ];
  if (zone === undefined || second !== undefined || !/^(etc\/)?(utc|gmt|z)$/i.test(zone)) return [];
  const isOther =
    kind === 'timestamp' && timeZone !== null && timeZone !== zone && !/^(etc\/)?utc$/i.test(timeZone);
  if (kind !== 'timestamptz' && !isOther) return [];
  return [
    warn(
      `${name} is read in UTC, ${isOther ? `and source.timeZone is ${timeZone ?? ''}` : 'whose day ends at 7 in the morning in Jakarta'}${placeOf(query, name)}`,
      `Leave "at time zone '${zone}'" out, or name the zone of the reader: at time zone 'Asia/Jakarta'.`,
    ),
  ];
}

/** Makes a day, or a time without zone, of a moment. */
const DAY_OF =
  /::\s*(date|timestamp)\b(?!\s+with\b)|\bas\s+(date|timestamp)\s*\)|\b(date|date_trunc|to_char)\s*\(/i;

export const joins = entityCheck({
  id: 'joins',
  levels: ['warn'],
  looksAt:
    'rows of the base table that fulfil the query’s conditions on it and that its joins leave out: JOIN with ON, USING or NATURAL, tables with commas, also within a CTE',
  passes: 'no rows are lost by an inner join, but where a comment of the query names it',
  judge: ({ entity, losses }) =>
    judged(losses, (found) =>
      found.filter(({ names }) => !leftOutOnPurpose(entity.query.sql, names)).map(joinsVerdict),
    ),
});

function joinsVerdict({ base, joins: joined, count, sample }: JoinLoss): Verdict {
  const join = joined.join(', ');
  return warn(
    `the join of ${join} loses ${counted(count, 'row')} of ${base} that have no match there`,
    `Write left join ${join}. If these rows are left out on purpose, say so in a comment of the query, and doctor is silent: -- join ${joined[0] ?? ''}`,
    { count, sample },
  );
}

export const decisions = entityCheck({
  id: 'decisions',
  levels: ['warn'],
  looksAt: 'questions that `init` left in the query: comments with `decide:`, with file and line',
  passes: 'no open decisions',
  judge: ({ entity: { query: of } }) =>
    openDecisions(of.sql).map(({ question, line, isOffered }) =>
      warn(
        `still to be decided: ${question} (${of.file}:${line})`,
        isOffered
          ? 'Uncomment the line below the question. If it is not needed, replace both by a comment that names the column: -- is_published: not needed'
          : `Correct the query if need be; then delete the comment in line ${line}.`,
      ),
    ),
});
