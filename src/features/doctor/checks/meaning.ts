import { counted, grouped } from '../../../core/domain/text.js';
import { hasVocabulary, subjectsOf, WORK_MODE } from '../../init/map/agreement.js';
import { monthFactors } from '../../init/map/find-notices.js';
import { plainName } from '../../init/words.js';
import { rowsCheck } from '../check.js';
import { NO, YES } from './kept.js';
import type { EntityFacts, KeptFlag, ReadColumn } from '../facts.js';
import { judged, type Verdict, warn } from '../finding.js';
import type { RowFacts } from '../rows/row-tally.js';
import { type SeenValue, totalOf } from '../rows/tallies.js';
import { placeOf } from '../sql/sources.js';

/** Checks of what values mean: words of another thing, pay for another time than the month. */

export const meaning = rowsCheck({
  id: 'meaning',
  levels: ['warn'],
  looksAt:
    'values that say something else than their column: onsite or remote as a city or a job type, education as a job type, sentences as skills, numbers as titles, e-mail addresses as telephone numbers',
  passes: 'no words of another thing',
  judge: (seen, facts, { settings }) => [
    ...[...seen.values].flatMap(([target, { values }]) =>
      otherSubject(target, values, facts, settings.references),
    ),
    ...seen.traits.flatMap((each) => shapeVerdict(each, seen, facts)),
    ...exchanged(seen, facts),
    ...shortened(facts),
  ],
});

function shapeVerdict(
  { trait, column, count, sample }: RowFacts['traits'][number],
  { read, values }: RowFacts,
  { entity: { query } }: EntityFacts,
): readonly Verdict[] {
  const says = SHAPES[trait];
  if (says === undefined || 2 * count < read - (values.get(column)?.absent ?? 0)) return [];
  const message = `${column} ${says[0]} in ${counted(count, 'row')}${placeOf(query, column)}`;
  return [warn(message, says[1], { count, sample: sample.slice(0, 3) })];
}

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

/** Texts of digits that a number makes shorter. */
function shortened({ entity, sources }: EntityFacts): readonly Verdict[] {
  if ('cause' in sources) return [];
  return sources.value.columns.flatMap(({ name, sql, sources: from }) => {
    const [source, other] = from.filter(({ joins }) => !joins);
    const isText = ['text', 'enum'].includes(source?.column.kind ?? '');
    if (!source || other || !isText || !DIGITS.test(name) || !TO_NUMBER.test(sql)) return [];
    return warn(
      `${name} becomes a number, which loses its first noughts${placeOf(entity.query, name)}`,
      `Return the text: ${source.column.sqlName} as ${name}`,
    );
  });
}

/** What consists of digits and is no number. */
const DIGITS = /^(phone|postal_code|license_number)$/;
const TO_NUMBER =
  /::\s*(int\w*|bigint|smallint|numeric|decimal)|\bas\s+(int\w*|bigint|smallint|numeric|decimal)\s*\)|\bto_number\s*\(/i;

export const pay = rowsCheck({
  id: 'pay',
  levels: ['warn'],
  looksAt:
    'pay that is not for a month, by a column that says its period or by its size, and pay that the database keeps back: salary_period, show_salary',
  applies: ({ columns }) => columns.some(({ name }) => name === 'min_salary_amount' || name === 'price'),
  passes: 'pay looks like pay by the month, and none that is kept back was found',
  judge: (seen, facts) =>
    judged(facts.kept, (flags) =>
      judged(facts.sources, ({ columns }) => {
        const target = columns.find(({ name }) => name.endsWith('_salary_amount'));
        const said = [
          ...flags.flatMap((flag) => payVerdict(flag, target, facts) ?? []),
          ...columns.flatMap((column) => namedVerdict(column, facts) ?? []),
        ];
        return said.length > 0 ? said : sizeVerdicts(seen, facts);
      }),
    ),
});

function payVerdict(
  { table, alias, column, says, isUsed, values }: KeptFlag,
  target: ReadColumn | undefined,
  facts: EntityFacts,
): Verdict | null {
  const paid = values
    .filter((each) => each.value !== null && each.paid > 0)
    .map((each) => ({ value: each.value ?? '', count: each.paid, sample: each.sample }));
  const sql = `${alias}.${column.sqlName}`;
  const amount = target && target.sql.length <= LONGEST ? target.sql : 'the amount';
  const listed = paid.map(({ value, count }) => `${value} ${grouped(count)}`).join(', ');
  const name = `${table}.${column.name}`;
  const where = placeOf(facts.entity.query, target?.name ?? '');
  if (says === 'period') {
    const factors = monthFactors(paid.map(({ value }) => value));
    if (isUsed || factors.length === 0) return null;
    return warn(
      `pay is sent as it is, and ${name} says for which time it is: ${listed}${where}`,
      `Pay is by the month: round(${amount} * case ${sql} ${factors.join(' ')} else 1 end)`,
      totalOf(paid.filter(({ value }) => monthFactors([value]).length > 0)),
    );
  }
  const secret = paid.filter(({ value }) => (says === 'hides' ? YES : NO).test(value));
  if (says === 'state' || secret.length === 0) return null;
  const test = column.kind === 'boolean' ? sql : `${sql} in (…)`;
  return warn(
    `pay that ${name} keeps back is sent: ${listed}${where}`,
    `Write: case when ${says === 'hides' ? `not coalesce(${test}, false)` : test} then ${amount} end`,
    totalOf(secret),
  );
}

const LONGEST = 60;

/** Names of pay for a year; per day and per hour a size says it. */
const BY_YEAR = /(?:^|_)(?:annual(?:ly)?|yearly|per_?year|tahunan|per_?tahun|pertahun|setahun)(?:_|$)/;

/** Pay whose column says the year by its name, and that is not divided by 12. */
function namedVerdict(
  { name, sql, sources }: ReadColumn,
  { entity: { query } }: EntityFacts,
): Verdict | null {
  if (!name.endsWith('_salary_amount') || /\b12\b/.test(sql)) return null;
  const source = sources.find(({ joins, column }) => !joins && BY_YEAR.test(plainName(column.name)));
  if (source === undefined) return null;
  return warn(
    `${name} is ${source.table.title}.${source.column.name}, and its name says pay by the year${placeOf(query, name)}`,
    `Pay is by the month: round(${sql.length <= LONGEST ? sql : 'the amount'} / 12.0)`,
  );
}

/** Two sizes of pay far apart are two periods or two units; so is pay that hardly anybody gets in a month. */
function sizeVerdicts({ pay: sizes }: RowFacts, { entity: { query } }: EntityFacts): readonly Verdict[] {
  return [...sizes].flatMap(([key, bins]): Verdict[] => {
    const [column = '', currency = ''] = key.split(' ');
    const sorted = [...bins].sort(([a], [b]) => a - b);
    const parted = (from: number) => ({
      below: totalOf(sorted.flatMap(([size, each]) => (size < from ? [each] : []))),
      above: totalOf(sorted.flatMap(([size, each]) => (size >= from ? [each] : []))),
    });
    const all = totalOf([...bins.values()]).count;
    if (all < FEWEST) return [];
    const [lowest, highest] = (column === 'price' ? PRICES : LIMITS[currency]) ?? [0, Infinity];
    const { below } = parted(Math.floor(10 * Math.log10(lowest)));
    const { above } = parted(Math.floor(10 * Math.log10(highest)));
    const share = (count: number) => `${grouped(count)} of ${grouped(all)} rows${placeOf(query, column)}`;
    if (2 * above.count > all)
      return [
        warn(
          `${column} is above ${grouped(highest)} ${currency} in ${share(above.count)}: is it pay by the year?`,
          'Pay is by the month: divide what is paid by the year by 12.',
          above,
        ),
      ];
    if (2 * below.count > all)
      return [
        warn(
          `${column} is below ${grouped(lowest)} ${currency} in ${share(below.count)}: is it in thousands, or pay by the hour or the day?`,
          'Pay is by the month, in whole units, and so is a price: multiply it in the query.',
          below,
        ),
      ];
    const gap = sorted.findIndex(
      ([size], index) => index > 0 && size - (sorted[index - 1]?.[0] ?? size) >= GAP,
    );
    const { below: lower, above: upper } = parted(sorted[gap]?.[0] ?? 0);
    const middle = (from: number) => {
      let rows = from;
      return sorted.find(([, { count }]) => (rows -= count) <= 0)?.[0] ?? 0;
    };
    const isFar = middle(all - upper.count / 2) - middle(lower.count / 2) >= FAR;
    if (column === 'price' || gap === -1 || !isFar || 10 * Math.min(lower.count, upper.count) < all)
      return [];
    return [
      warn(
        `${column} has two sizes that are far apart, ${grouped(lower.count)} rows below and ${grouped(upper.count)} above: are they for two periods?${placeOf(query, column)}`,
        'Pay is by the month: look for a column that says the period, and convert with case … when.',
        upper,
      ),
    ];
  });
}

const FEWEST = 10;
/** Tenths of a logarithm: a factor of 2.5 in which nobody is paid. */
const GAP = 4;
/** A factor of 6 between what is usual below and above. */
const FAR = 8;
/** What people pay for a training, in rupiah. */
const PRICES = [2_000, Infinity] as const;
/** What people earn in a month. */
const LIMITS: Readonly<Record<string, readonly [lowest: number, highest: number]>> = {
  IDR: [400_000, 150_000_000],
  USD: [100, 40_000],
  EUR: [100, 30_000],
  GBP: [100, 20_000],
};
