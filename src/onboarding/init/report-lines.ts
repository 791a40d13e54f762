import type { CatalogTable } from '../catalog/catalog.js';
import type { Candidate } from './candidate.js';
import type { LookupFile } from './lookup-files.js';
import { conditionQuestion } from './condition-lines.js';
import { draftable } from './draftable.js';
import { tableTitle } from './column-sql.js';
import { LOOK_LIMITS } from './look-limits.js';
import { missingTargets } from './draft-query.js';
import type { QueryFacts } from './facts.js';
import type { Notices } from './find-notices.js';
import { group, type Refined } from './refine-query.js';
import { undraftedLines } from './undrafted-lines.js';

export interface Drafted {
  readonly draft: Refined;
  readonly facts: QueryFacts;
  readonly notices: Notices;
  /** What is wrong with the query, as a sentence; null: the server takes it. */
  readonly refused: string | null;
}

/** What was drafted and what is still to be decided, for people. */
export function reportLines(
  drafted: readonly Drafted[],
  lookups: readonly LookupFile[],
  ranking: ReadonlyMap<string, readonly Candidate[]>,
): readonly string[] {
  return [
    ...drafted.flatMap(({ draft, facts, notices, refused }) => {
      const { query } = draft;
      const others = (ranking.get(query.entity) ?? [])
        .filter(({ table }) => table.oid !== query.table.oid)
        .slice(0, 3);
      const missing = missingTargets(query, draftable(query.entity).wanted);
      return [
        '',
        `${query.entity}: ${withRows(query.table)}`,
        ...(others.length > 0
          ? [item(`other tables: ${others.map(({ table }) => withRows(table)).join(', ')}`)]
          : []),
        ...(refused === null ? [] : [item(refused)]),
        ...(missing.length > 0 ? [item(`not found: ${missing.join(', ')}`)] : []),
        ...query.conditions.map((condition) =>
          item(conditionQuestion(condition, facts.conditions.get(condition.sql) ?? null)),
        ),
        ...(query.ofParent ? [item(query.ofParent.question)] : []),
        ...query.findings.map(item),
        ...notices.questions.map(item),
        ...notices.remarks.map(item),
        ...query.columns.flatMap(({ target, codes, from }) =>
          codes && facts.codes.get(target) === null
            ? [item(`${from}: too many values for a lookup of ${target}, or they could not be counted`)]
            : [],
        ),
      ];
    }),
    ...undraftedLines(new Set(drafted.map(({ draft }) => draft.query.entity)), ranking),
    ...(lookups.length > 0 ? ['', 'lookups (codes with an id, and the records that have one of them):'] : []),
    ...lookups.map(coverageLine),
  ];
}

/** A view may be slow, or refuse: then its rows are not known. */
function withRows(table: CatalogTable): string {
  const { rows } = table;
  const text = rows === null ? 'not counted: it took too long, or failed' : `${group(rows)} rows`;
  return `${tableTitle(table)} (${text})`;
}

function coverageLine({ path, lines, uses }: LookupFile): string {
  const decided = lines.filter(({ id }) => id !== '').length;
  const ambiguous = lines.filter(({ note }) => note.startsWith('ambiguous')).length;
  const records = uses
    .map((use) => `${group(use.decided)} of ${group(use.records)} ${use.entity}`)
    .join(', ');
  const partly = uses.every(({ complete }) => complete)
    ? ''
    : `. Only the first ${group(LOOK_LIMITS.countedRows)} rows of a table were counted: doctor names the codes that the file lacks`;
  return item(
    `${path}: ${group(decided)} of ${group(lines.length)} codes${ambiguous > 0 ? ` (${String(ambiguous)} ambiguous)` : ''}; ${records}${partly}`,
  );
}

function item(text: string): string {
  return `  - ${text.replace(/\s+/g, ' ')}`;
}
