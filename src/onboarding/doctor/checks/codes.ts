import { codeBlocks, codeBlockText, type CodeGroup } from '../../../domain/group-text.js';
import { codeOf, isOpenCode } from '../../../domain/issue-group.js';
import { foldCode } from '../../../entities/lookup.js';
import type { Check } from '../check.js';
import type { EntityFacts } from '../facts.js';
import { fail, pass, type Finding, type Verdict } from '../finding.js';
import { judgedRows } from '../judged-rows.js';

/** Codes of a file that are named; the rest is counted. */
const MOST_CODES = 12;
const MOST_KEYS = 5;

export const codes: Check = {
  id: 'codes',
  levels: ['fail'],
  looksAt:
    'codes of the lookups that have no id yet, with the records that have them and those that wait for these: one block for each file, also where several entities share it',
  remedy:
    'Add the id in the file that is named, or `-` to leave the field out where the column may be absent; a row with code `*` stands for every other code.',
  judge: ({ entities }) => {
    const blocks = codeBlocks(entities.flatMap(openCodes));
    const named = new Set(blocks.flatMap(({ groups }) => groups.map(({ entity }) => entity)));
    const others = entities.filter(({ entity }) => !named.has(entity.name));
    return [
      ...blocks.map((block): Finding => {
        const { message, hint, count, lines } = codeBlockText(
          block,
          MOST_CODES,
          'placement-sync plan --json',
        );
        const sample = block.groups.flatMap(({ sampleKeys }) => sampleKeys).slice(0, MOST_KEYS);
        return { id: 'codes', entity: block.entity, ...fail(message, hint, { count, sample }), lines };
      }),
      ...others.flatMap((each) =>
        judgedRows(each.rows, (facts) => [nothingOpen(each, facts)]).map((verdict): Finding => ({
          id: 'codes',
          entity: each.entity.name,
          ...verdict,
        })),
      ),
    ];
  },
};

/** Those of an entity, with the file and the name of each. */
function openCodes({ entity, rows }: EntityFacts): readonly CodeGroup[] {
  if ('cause' in rows) return [];
  return rows.value.groups.filter(isOpenCode).map((group) => {
    const column = group.field ?? '';
    const lookup = entity.mapContext.lookups[column];
    const file = lookup?.file ?? null;
    const name = lookup?.names?.get(foldCode(codeOf(group) ?? '')) ?? null;
    return { group, place: file ?? `${entity.name} ${column}`, file, name };
  });
}

type Rows = Parameters<Parameters<typeof judgedRows>[1]>[0];

function nothingOpen({ entity }: EntityFacts, { columns, absent, read }: Rows): Verdict {
  const lookups = Object.keys(entity.mapContext.lookups);
  const filled = lookups.filter((column) => columns.includes(column) && absent.get(column) !== read);
  if (filled.length > 0) return pass(`every code has its id: ${filled.join(', ')}`);
  return pass(lookups.length === 0 ? 'no lookups' : 'no row has a code');
}
