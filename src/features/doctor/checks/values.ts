import { codeBlocks, codeBlockText, type CodeGroup, groupText } from '../../look/group-text.js';
import { effectOf, isOpenCode, type IssueGroup } from '../../../core/domain/issue-group.js';
import { counted, grouped, plural } from '../../../core/domain/text.js';
import { foldCode } from '../../../core/entities/lookup.js';
import { UNKNOWN } from '../../../core/entities/text-values.js';
import { rowsCheck } from '../check.js';
import type { RowFacts } from '../rows/row-tally.js';
import { reservedName } from '../rows/placeholders.js';
import { totalOf } from '../rows/tallies.js';
import { type DoctorEntity, fail, pass, type Verdict, verdict, warn } from '../finding.js';

/** Checks of single values: codes without an id, words and texts that the platform refuses or that look unintended. */

/** Codes of a file that are named; the rest is counted. */
const MOST_CODES = 12;
const MOST_KEYS = 5;

export const codes = rowsCheck({
  id: 'codes',
  levels: ['fail'],
  looksAt:
    'codes of the lookups that have no id yet, with the records that have them and those that wait for these: one block for each file',
  judge({ groups, values, read }, { entity }) {
    const blocks = codeBlocks(groups.filter(isOpenCode).map((group) => fileOf(group, entity)));
    if (blocks.length > 0)
      return blocks.map((block) => {
        const { message, hint, count, lines } = codeBlockText(
          block,
          MOST_CODES,
          'placement-sync plan --json',
        );
        const sample = block.groups.flatMap(({ sampleKeys }) => sampleKeys).slice(0, MOST_KEYS);
        return { ...fail(message, hint, { count, sample }), lines };
      });
    const lookups = Object.keys(entity.mapContext.lookups);
    const filled = lookups.filter((column) => (values.get(column)?.absent ?? read) < read);
    if (filled.length > 0) return [pass(`every code has its id: ${filled.join(', ')}`)];
    return [pass(lookups.length === 0 ? 'no lookups' : 'no row has a code')];
  },
});

/** A code with the file that has no id for it, and with its name there. */
function fileOf(group: IssueGroup, entity: DoctorEntity): CodeGroup {
  const column = group.field ?? '';
  const lookup = entity.mapContext.lookups[column];
  const file = lookup?.file ?? null;
  const name = lookup?.names?.get(foldCode(group.issue.lookup?.code ?? '')) ?? null;
  return { group, place: file ?? `${entity.name} ${column}`, file, name };
}

/** Groups of a check that are reported; the rest is counted. */
const MOST_GROUPS = 20;

export const invalid = rowsCheck({
  id: 'invalid',
  levels: ['warn', 'fail'],
  looksAt: 'rows that cannot be sent for another reason than a code without id, by field and cause',
  passes: 'no row is invalid for another reason',
  judge({ read, groups }, { entity }, { settings }) {
    // The checks `codes` and `parents` have the rest.
    const others = groups.filter(
      (group) =>
        group.kind === 'invalid' &&
        !isOpenCode(group) &&
        !(group.code === 'required' && group.field === entity.parent?.column),
    );
    const share = (100 * Math.max(0, ...others.map(({ count }) => count))) / read;
    const level = share > settings.maxInvalidPercent ? 'fail' : 'warn';
    return groupVerdicts(level, others, 'Correct the query or the data.');
  },
});

export const doubtful = rowsCheck({
  id: 'doubtful',
  levels: ['warn'],
  looksAt:
    'values that can be sent and are probably wrong: fractions, salary 0, pay that nobody earns in its currency, minimum above maximum, reversed ages, expiry in the past while open, negative numbers, UUIDs not in a list; texts that stand for nothing (`-`, `N/A`, `tidak ada`), have only invisible characters, outer blanks or control characters, e-mail addresses and telephone numbers without their form, numbers from floating point columns, HTML that lost or kept something as plain text; words that the interface does not know (gender, marital, skills, employment type)',
  judge({ groups, read, invalid: unread }) {
    const found = groups.filter(({ kind, code }) => kind === 'doubtful' && code !== 'zone');
    if (found.length > 0)
      return groupVerdicts('warn', found, 'Correct the query or the data; null leaves the field out.');
    const among =
      unread === 0 ? '' : ` in the ${grouped(read - unread)} of ${grouped(read)} rows that are not invalid`;
    return [pass(`no doubtful values${among}`)];
  },
});

export const html = rowsCheck({
  id: 'html',
  levels: ['warn'],
  looksAt: 'HTML in columns that are not in `plainText`',
  passes: 'no HTML outside of plainText',
  judge({ html: found }, { entity }) {
    const all = [...entity.mapContext.plainText, ...found.map(({ column }) => column)];
    return found.map(({ column, count, sample }) =>
      warn(
        `${column} has HTML in ${counted(count, 'row')}, and it is sent as it is`,
        `entities.${entity.name}.plainText: [${all.join(', ')}]`,
        { count, sample },
      ),
    );
  },
});

export const placeholders = rowsCheck({
  id: 'placeholders',
  levels: ['warn'],
  looksAt:
    'values that stand for “unknown”: the same e-mail address, telephone number or picture in more than a tenth of the rows, addresses that lead nowhere (`example.com`, `.example`, `.test`, `test@…`); words of a test (`asdf`, lorem ipsum, demo)',
  passes: 'no placeholder values',
  judge: (seen) => [
    ...OF_ONE.flatMap((column) => repeatedVerdict(column, seen)),
    ...STAND_FOR_NOTHING.flatMap((each) => emptyVerdict(each, seen)),
  ],
});

/** Columns whose value belongs to one record. */
const OF_ONE = ['email', 'phone', 'logo_uri', 'cover_uri', 'website'];
/** Fewer rows may well share a value. */
const FEWEST = 3;

/** Values that stand in more than a tenth of the rows. The check `doubtful` has words that stand for nothing. */
function repeatedVerdict(column: string, { values, read }: RowFacts): readonly Verdict[] {
  const found = (values.get(column)?.values ?? []).filter(
    ({ value, count }) =>
      count >= FEWEST && 10 * count > read && !UNKNOWN.test(value) && reservedName(value) === null,
  );
  const [first] = found;
  if (first === undefined) return [];
  const { count } = totalOf(found);
  const same = found.length === 1 ? 'is the same' : `has ${found.length} values, each in more than a tenth,`;
  return [
    warn(
      `${column} ${same} in ${counted(count, 'row')} of ${grouped(read)}`,
      `If it is a placeholder, return null: nullif(${column}, …).`,
      { count, sample: first.sample },
    ),
  ];
}

/** What stands for nothing in whatever row it is. */
const STAND_FOR_NOTHING = [
  {
    trait: 'nowhere',
    what: 'an address that leads nowhere (example.com, .test, test@…)',
    hint: 'Nothing to do for test data. In production, return null for them, so that nobody writes to such an address.',
  },
  {
    trait: 'test',
    what: 'words of a test (tes, asdf, lorem ipsum, demo)',
    hint: 'Leave these rows out with WHERE.',
  },
];

function emptyVerdict(
  { trait, what, hint }: (typeof STAND_FOR_NOTHING)[number],
  { traits }: RowFacts,
): readonly Verdict[] {
  const found = traits.filter((each) => each.trait === trait).toSorted((a, b) => b.count - a.count);
  const [most] = found;
  if (most === undefined) return [];
  const { count, sample } = most;
  const columns = found.map((each) => `${each.column} ${grouped(each.count)}`).join(', ');
  return [
    warn(`${counted(count, 'row')} ${plural(count, 'has', 'have')} ${what}: ${columns}`, hint, {
      count,
      sample,
    }),
  ];
}

/** The largest groups, and one line for the others. `usual`: the hint of a group that has none of its own. */
function groupVerdicts(
  level: Verdict['level'],
  groups: readonly IssueGroup[],
  usual: string,
): readonly Verdict[] {
  const shown = groups.slice(0, MOST_GROUPS).map((group) => {
    const message = groupText({ ...group, hint: null, sampleKeys: [] });
    return verdict(level, message, group.hint ?? usual, { count: group.count, sample: group.sampleKeys });
  });
  const rest = groups.slice(MOST_GROUPS);
  if (rest.length === 0) return shown;
  const count = rest.reduce((sum, group) => sum + effectOf(group), 0);
  const message = `${grouped(rest.length)} more of this kind, about ${grouped(count)} records`;
  return [...shown, verdict(level, message, 'placement-sync plan lists all.', { count })];
}
