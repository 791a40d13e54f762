import { counted, grouped, plural } from '../../../core/domain/text.js';
import { entityCheck, rowsCheck } from '../check.js';
import { fail, judged, pass, warn } from '../finding.js';
import { keyVerdicts, volatileVerdicts } from './chance.js';
import { unorderedAggregates } from '../sql/conditions.js';

/** Checks of what the rows of an entity show as a whole: keys, what changes by itself, what vanishes, applications. */

export const keys = rowsCheck({
  id: 'keys',
  levels: ['fail', 'warn'],
  looksAt:
    'whether no key comes twice, also in a form that looks the same (Unicode form, invisible characters, blanks); keys that change: of a time, a name, a function',
  judge({ read, duplicates, twins }, facts) {
    const verdicts = [...keyVerdicts(facts)];
    if (duplicates.count > 0)
      verdicts.push(
        fail(
          `${grouped(duplicates.count)} keys come more than once`,
          'Look for a join that multiplies rows: join a GROUP BY, or take one row with LATERAL … ORDER BY … LIMIT 1.',
          duplicates,
        ),
      );
    if (twins.count > 0)
      verdicts.push(
        warn(
          `${counted(twins.count, 'key looks', 'keys look')} the same as another one, and ${plural(twins.count, 'is', 'are')} sent as another record: they differ, ${twins.sample.join('; ')}`,
          'If it is one record, correct the key in the source, or leave one of both out with WHERE.',
          { count: twins.count },
        ),
      );
    return verdicts.length > 0 ? verdicts : [pass(`${grouped(read)} keys, each once`, { count: read })];
  },
});

export const vanished = entityCheck({
  id: 'vanished',
  levels: ['warn'],
  looksAt:
    'whether a vacancy that leaves the query stays open to the public: under `onVanished: report` nothing is sent of it',
  judge({ entity: { name, noun, onVanished, statusField } }) {
    if (statusField === null) return [];
    if (onVanished !== 'report') return [pass(`what leaves the query is ${ENDS[onVanished]}`)];
    return [
      warn(
        `onVanished is report: a ${noun.one} that leaves the query stays open at the platform, and open to the public`,
        `Set onVanished: close for ${name}, and what leaves the query is closed. First, plan says how many that would be.`,
      ),
    ];
  },
});

const ENDS = {
  close: 'closed at the platform',
  delete: 'deleted at the platform',
  ignore: 'ignored, as onVanished says',
} as const;

export const stableRows = entityCheck({
  id: 'stable-rows',
  levels: ['warn'],
  looksAt: 'aggregates without ORDER BY, and functions such as `now()` and `random()` in a column',
  passes: 'nothing in the query changes by itself',
  judge: (facts) => [
    ...volatileVerdicts(facts),
    ...unorderedAggregates(facts.entity.query.sql).map((name) =>
      warn(
        `${name} has no ORDER BY: its text may change from plan to plan`,
        "Write the order into the aggregate: string_agg(name, ',' order by name).",
      ),
    ),
  ],
});

export const applications = rowsCheck({
  id: 'applications',
  levels: ['warn'],
  looksAt: 'application statuses whose application is not in the inbox, which the webhook fills',
  applies: ({ application }) => application,
  passes: 'every application is in the inbox',
  judge: ({ foreign, read }, { entity }) =>
    foreign === null
      ? []
      : judged(foreign, ({ count, sample }) => {
          if (count === 0) return [];
          const all = count === read ? ' (all of them)' : '';
          return [
            warn(
              `${grouped(count)} ${entity.noun.many}${all} match no application in the inbox, so they are not sent`,
              'Applications come by webhook. Return the id that it brought, not the key of a table of yours.',
              { count, sample },
            ),
          ];
        }),
});
