import { counted, grouped } from '../../../core/domain/text.js';
import { hasVocabulary, subjectsOf, WORK_MODE } from '../../init/map/agreement.js';
import { monthFactors } from '../../init/map/find-notices.js';
import { HUNDREDTHS } from '../../init/rank/column-matches.js';
import { plainName } from '../../init/words.js';
import { entityCheck, judgedRows } from '../check.js';
import type { EntityFacts, PayFlag, SourceColumns } from '../facts.js';
import { judged, pass, type Verdict, warn } from '../finding.js';
import type { RowFacts } from '../rows/row-tally.js';
import { type SeenValue, totalOf } from '../rows/tallies.js';
import { placeOf } from '../sql/sources.js';

/** Checks of what values mean: words of another thing, pay for another time than the month. */

export const meaning = entityCheck({
  id: 'meaning',
  levels: ['warn'],
  looksAt:
    'values that say something else than their column: onsite or remote as a city or a job type, education as a job type, sentences as skills, numbers as titles, e-mail addresses as telephone numbers',
  judge: (facts, { settings }) =>
    judgedRows(facts.rows, (seen) => {
      const found = [...seen.values].flatMap(([target, { values }]) =>
        otherSubject(target, values, facts, settings.references),
      );
      const shapes = seen.traits.flatMap(({ trait, column, count, sample }) => {
        const says = SHAPES[trait];
        if (says === undefined || 2 * count < seen.read - (seen.values.get(column)?.absent ?? 0)) return [];
        return warn(
          `${column} ${says[0]} in ${counted(count, 'row')}${placeOf(facts.entity.query, column)}`,
          says[1],
          {
            count,
            sample: sample.slice(0, 3),
          },
        );
      });
      const all = [...found, ...shapes, ...exchanged(seen, facts), ...units(facts), ...otherLists(facts)];
      return all.length > 0 ? all : [pass('no words of another thing')];
    }),
});

const SHAPES: Readonly<Record<string, readonly [says: string, hint: string] | undefined>> = {
  prose: [
    'is made of sentences',
    'Skills are single words of a list. Take them from a table of skills, or leave the column out.',
  ],
  number: ['is a number', 'Take the column with the text, or join the table that the number names.'],
};

function otherSubject(
  target: string,
  values: readonly SeenValue[],
  facts: EntityFacts,
  references: Parameters<typeof subjectsOf>[1],
): readonly Verdict[] {
  const sum = (some: readonly SeenValue[]) => totalOf(some).count;
  const modes = ['region_id', 'job_type'].includes(target)
    ? values.filter(({ value }) => WORK_MODE.test(value))
    : [];
  if (modes.length > 0 && (target === 'region_id' || 2 * sum(modes) > sum(values)))
    return [wordsVerdict(target, modes, 'how the work is done', facts)];
  if (!hasVocabulary(target) && !['region_id', 'industry', 'job_function'].includes(target)) return [];
  const words = values.filter(({ value }) => value.length > 1);
  const known = words.map((each) => ({ ...each, subjects: subjectsOf(each.value, references) }));
  const own = sum(known.filter(({ subjects }) => subjects.includes(target)));
  const others = known.filter(({ subjects }) => subjects.length > 0 && !subjects.includes(target));
  const subject = others[0]?.subjects[0];
  if (subject === undefined || 5 * own >= sum(values) || 2 * sum(others) < sum(values)) return [];
  return [wordsVerdict(target, others, subject, facts)];
}

function wordsVerdict(
  target: string,
  values: readonly SeenValue[],
  subject: string,
  facts: EntityFacts,
): Verdict {
  const words = values.slice(0, 4).map(({ value, count: rows }) => `${value} ${grouped(rows)}`);
  return warn(
    `${target} has words that say ${subject}: ${words.join(', ')}${placeOf(facts.entity.query, target)}`,
    `Take the column that says ${target}; where there is none, return null.`,
    totalOf(values),
  );
}

/** Where all e-mail addresses are telephone numbers, and the other way round, the two columns are exchanged. */
function exchanged({ groups, read }: RowFacts, facts: EntityFacts): readonly Verdict[] {
  const wrong = (field: string) =>
    groups.find((group) => group.field === field && group.kind === 'doubtful' && 2 * group.count > read);
  const [email, phone] = [wrong('email'), wrong('phone')];
  if (!email || !phone) return [];
  return [
    warn(
      `email and phone are exchanged in ${counted(email.count, 'row')}${placeOf(facts.entity.query, 'email')}`,
      'Exchange the two columns of the query.',
      { count: email.count, sample: email.sampleKeys.slice(0, 3) },
    ),
  ];
}

/** Months as years, hundredths as whole units, and texts of digits that a number makes shorter. */
function units({ entity, sources }: EntityFacts): readonly Verdict[] {
  if ('cause' in sources) return [];
  return sources.value.columns.flatMap(({ name, sql, sources: from }) => {
    const [source, other] = from.filter(({ joins }) => !joins);
    if (!source || other) return [];
    const words = plainName(source.column.name);
    const where = placeOf(entity.query, name);
    const isText = ['text', 'enum'].includes(source.column.kind);
    if (name === 'min_experience' && !isText && MONTHS.test(words) && !sql.includes('12'))
      return [
        warn(
          `min_experience is ${source.column.name}, and people read it as years${where}`,
          `Write: ${sql} / 12 as min_experience`,
        ),
      ];
    if (/_amount$|^price$/.test(name) && HUNDREDTHS.test(words) && !sql.includes('100'))
      return [
        warn(
          `${name} is ${source.column.name}, in hundredths by its name${where}`,
          `Write: round(${sql} / 100.0) as ${name}`,
        ),
      ];
    if (DIGITS.test(name) && isText && TO_NUMBER.test(sql))
      return [
        warn(
          `${name} becomes a number, which loses its first noughts${where}`,
          `Return the text: ${source.column.sqlName} as ${name}`,
        ),
      ];
    return [];
  });
}

const MONTHS = /(^|_)(month|bulan|bln)(_|$)/;
/** What consists of digits and is no number. */
const DIGITS = /^(phone|postal_code|license_number)$/;
const TO_NUMBER =
  /::\s*(int\w*|bigint|smallint|numeric|decimal)|\bas\s+(int\w*|bigint|smallint|numeric|decimal)\s*\)|\bto_number\s*\(/i;

/** Lookups whose ids are those of another column: a file of job types that names industries. */
function otherLists({ entity: { mapContext } }: EntityFacts): readonly Verdict[] {
  const { lookups, knownIds } = mapContext;
  return Object.entries(lookups).flatMap(([column, { ids = new Set<string>(), file }]) => {
    if (ids.size === 0) return [];
    const of = (known: ReadonlySet<string> | undefined) =>
      [...ids].filter((id) => known?.has(id) === true).length;
    const [other] = [...(knownIds ?? [])].filter(
      ([name, known]) => name !== column && of(known) > of(knownIds?.get(column)),
    );
    return other === undefined
      ? []
      : [
          warn(
            `${file} is for ${column}, and ${grouped(of(other[1]))} of its ${grouped(ids.size)} ids are those of ${other[0]}`,
            `Write the ids of ${column} into it: placement-sync lookup suggests them.`,
            { count: of(other[1]) },
          ),
        ];
  });
}

export const pay = entityCheck({
  id: 'pay',
  levels: ['warn'],
  looksAt:
    'pay that is not for a month, by a column that says its period or by its size, and pay that the database keeps back: salary_period, show_salary',
  judge: (facts) => {
    if (!facts.entity.columns.some(({ name }) => name === 'min_salary_amount' || name === 'price')) return [];
    return judged(facts.sources, (known) =>
      judgedRows(facts.rows, (seen) => {
        const said = known.pay.flatMap((flag) => payVerdict(flag, known, facts) ?? []);
        const found = said.length > 0 ? said : sizeVerdicts(seen, facts);
        return found.length > 0
          ? found
          : [pass('pay looks like pay by the month, and none that is kept back was found')];
      }),
    );
  },
});

function payVerdict(
  { table, alias, column, kind, isUsed, values }: PayFlag,
  known: SourceColumns,
  facts: EntityFacts,
): Verdict | null {
  const target = known.columns.find(({ name }) => name.endsWith('_salary_amount'));
  const sql = `${alias}.${column.sqlName}`;
  const amount = target && target.sql.length <= LONGEST ? target.sql : 'the amount';
  const listed = values.map(({ value, paid }) => `${value} ${grouped(paid)}`).join(', ');
  const name = `${table.title}.${column.name}`;
  if (kind === 'period') {
    const factors = monthFactors(values.map(({ value }) => value));
    if (isUsed || factors.length === 0) return null;
    const others = values.filter(({ value }) => monthFactors([value]).length > 0);
    return warn(
      `pay is sent as it is, and ${name} says for which time it is: ${listed}${placeOf(facts.entity.query, target?.name ?? '')}`,
      `Pay is by the month: round(${amount} * case ${sql} ${factors.join(' ')} else 1 end)`,
      totalOf(others.map(({ paid: count, sample }) => ({ count, sample }))),
    );
  }
  const secret = values.filter(({ value }) => (kind === 'hides' ? YES : NO).test(value));
  if (secret.length === 0) return null;
  const test = column.kind === 'boolean' ? sql : `${sql} in (…)`;
  return warn(
    `pay that ${name} keeps back is sent: ${listed}${placeOf(facts.entity.query, target?.name ?? '')}`,
    `Write: case when ${kind === 'hides' ? `not coalesce(${test}, false)` : test} then ${amount} end`,
    totalOf(secret.map(({ paid: count, sample }) => ({ count, sample }))),
  );
}

const YES = /^(1|y|yes|ya|t|true)$/i;
const NO = /^(0|n|no|tidak|f|false)$/i;
const LONGEST = 60;

/** Two sizes of pay far apart are two periods or two units; so is pay that hardly anybody gets in a month. */
function sizeVerdicts({ pay: sizes }: RowFacts, facts: EntityFacts): readonly Verdict[] {
  return [...sizes].flatMap(([key, bins]): Verdict[] => {
    const [column = '', currency = ''] = key.split(' ');
    const sorted = [...bins].sort(([a], [b]) => a - b);
    const { count: all, sample: some } = totalOf(sorted.map(([, each]) => each));
    const above = (from: number) => totalOf(sorted.flatMap(([size, each]) => (size >= from ? [each] : [])));
    if (all < FEWEST) return [];
    if (column === 'price') {
      const few = all - above(Math.floor(10 * Math.log10(LEAST_PRICE))).count;
      return 2 * few > all
        ? [
            warn(
              `price is below ${grouped(LEAST_PRICE)} rupiah in ${grouped(few)} of ${grouped(all)} rows: is it in thousands?${placeOf(facts.entity.query, column)}`,
              'Return it in rupiah.',
              { count: few },
            ),
          ]
        : [];
    }
    const limits = LIMITS[currency];
    const high = limits && above(Math.floor(10 * Math.log10(limits[1])));
    const line = placeOf(facts.entity.query, column);
    if (limits && high && 2 * high.count > all)
      return [
        warn(
          `${column} is above ${grouped(limits[1])} ${currency} in ${grouped(high.count)} of ${grouped(all)} rows: is it pay by the year?${line}`,
          'Pay is by the month: divide what is paid by the year by 12.',
          high,
        ),
      ];
    const low = limits && all - above(Math.floor(10 * Math.log10(limits[0]))).count;
    if (limits && low !== undefined && 2 * low > all)
      return [
        warn(
          `${column} is below ${grouped(limits[0])} ${currency} in ${grouped(low)} of ${grouped(all)} rows: is it pay by the hour or the day, or in thousands?${line}`,
          'Pay is by the month, in whole units: multiply it in the query.',
          { count: low, sample: some },
        ),
      ];
    const gap = sorted.findIndex(
      ([size], index) => index > 0 && size - (sorted[index - 1]?.[0] ?? size) >= GAP,
    );
    if (gap === -1) return [];
    const upper = above(sorted[gap]?.[0] ?? 0);
    const middle = (from: number) => {
      let rows = from;
      return sorted.find(([, { count }]) => (rows -= count) <= 0)?.[0] ?? 0;
    };
    if (middle(all - upper.count / 2) - middle((all - upper.count) / 2) < FAR) return [];
    const few = Math.min(upper.count, all - upper.count);
    if (10 * few < all) return [];
    return [
      warn(
        `${column} has two sizes that are far apart, ${grouped(all - upper.count)} rows below and ${grouped(upper.count)} above: are they for two periods?${line}`,
        'Pay is by the month: look for a column that says the period, and convert with case … when.',
        upper,
      ),
    ];
  });
}

const FEWEST = 10;
const LEAST_PRICE = 2_000;
/** Tenths of a logarithm: a factor of 2.5 in which nobody is paid. */
const GAP = 4;
/** A factor of 6 between what is usual below and above. */
const FAR = 8;
/** What people earn in a month. */
const LIMITS: Readonly<Record<string, readonly [lowest: number, highest: number]>> = {
  IDR: [400_000, 150_000_000],
  USD: [100, 40_000],
  EUR: [100, 30_000],
  GBP: [100, 20_000],
};
