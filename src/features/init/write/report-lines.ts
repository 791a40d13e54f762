import { escapeIdentifier } from 'pg';
import { grouped, plural } from '../../../core/domain/text.js';
import { type Catalog, type CatalogTable, rowsText } from '../../catalog/catalog.js';
import { DRAFTABLES } from '../draftables.js';
import { LOOK_LIMITS, type QueryFacts } from '../map/look-at-values.js';
import type { AskedParent } from '../map/ask-parent.js';
import { missingTargets } from '../map/draft-query.js';
import type { Refined } from '../map/refine-query.js';
import type { Ranking } from '../rank.js';
import type { LookupFile } from './lookup-files.js';

/**
 * What `init` prints at its end, for people: for each entity the table, how many questions its query asks, and what no line
 * of it says; then the entities without a draft, and how far the lookups are decided.
 */

export interface Drafted {
  readonly draft: Refined;
  readonly facts: QueryFacts;
  /** What a person has to decide. */
  readonly questions: number;
  /** Its parents, where no table was taken for them. */
  readonly asked: AskedParent | null;
  /** What hides rows of the table from the role; null: nothing. */
  readonly hidden: string | null;
  /** What is wrong with the query, as a sentence; null: the server takes it. */
  readonly refused: string | null;
}

/** What was drafted and what is still to be decided, for people. */
export function reportLines(
  drafted: readonly Drafted[],
  lookups: readonly LookupFile[],
  ranking: Ranking,
): readonly string[] {
  const entities = drafted.flatMap(({ draft: { query }, asked }) => [query.entity, asked?.entity ?? '']);
  return [
    ...drafted.flatMap(({ draft, facts, hidden, refused, questions }) => {
      const { query } = draft;
      const others = (ranking.get(query.entity) ?? [])
        .filter(({ table }) => table.oid !== query.table.oid)
        .slice(0, 3);
      const missing = missingTargets(query);
      return [
        '',
        `${query.entity}: ${titleOf(query.table)}, ${plural(questions, 'one question', `${grouped(questions)} questions`)} in queries/${query.entity}.sql`,
        ...(others.length > 0
          ? [item(`other tables: ${others.map(({ table }) => titleOf(table)).join(', ')}`)]
          : []),
        ...(refused === null ? [] : [item(refused)]),
        ...(missing.length > 0 ? [item(`not found: ${missing.join(', ')}`)] : []),
        ...query.findings.map(item),
        ...(hidden === null ? [] : [item(hidden)]),
        ...query.columns.flatMap(({ target, codes, from }) =>
          codes && facts.codes.get(target) === null
            ? [item(`${from}: too many values for a lookup of ${target}, or they could not be counted`)]
            : [],
        ),
      ];
    }),
    ...undraftedLines(
      new Set(entities),
      ranking,
      drafted.every(({ draft: { query } }) => query.table.kind.includes('view')),
    ),
    ...(lookups.length > 0 ? ['', 'lookups (codes with an id, and the records that have one of them):'] : []),
    ...lookups.map(coverageLine),
  ];
}

function titleOf(table: CatalogTable): string {
  return `${table.title} (${rowsText(table)})`;
}

function coverageLine({ path, lines, uses }: LookupFile): string {
  const decided = lines.filter(({ id }) => id !== '').length;
  const ambiguous = lines.filter(({ note }) => note.startsWith('ambiguous')).length;
  const records = uses
    .map((use) => `${grouped(use.decided)} of ${grouped(use.records)} ${use.entity}`)
    .join(', ');
  const partly = uses.every(({ complete }) => complete)
    ? ''
    : `. Only the first ${grouped(LOOK_LIMITS.countedRows)} rows of a table were counted: doctor names the codes that the file lacks`;
  return item(
    `${path}: ${grouped(decided)} of ${grouped(lines.length)} codes${ambiguous > 0 ? ` (${ambiguous} ambiguous)` : ''}; ${records}${partly}`,
  );
}

/** Why entities are not in the draft, for people. */
function undraftedLines(
  drafted: ReadonlySet<string>,
  ranking: Ranking,
  areViews: boolean,
): readonly string[] {
  const lines = DRAFTABLES.filter(({ name }) => !drafted.has(name)).map(({ name }) => {
    const first = ranking.get(name)?.[0];
    if (first === undefined) return `${name}: no table looks like them`;
    return first.taken === null
      ? `${name}: left out`
      : `${name}: the likeliest table is ${first.table.title}, which is drafted as ${first.taken}; init without --yes asks`;
  });
  return ['', 'not drafted:', ...[...lines, ...(areViews ? [VIEWS] : []), STATUSES].map(item)];
}

const VIEWS =
  'the role was made for views: for what is missing ask for a view with its key, or for SELECT on its table';
const STATUSES =
  'application-statuses: their records are applications that the webhook has brought, so its query comes last (docs/webhook.md).';

function item(text: string): string {
  return `  - ${text.replace(/\s+/g, ' ')}`;
}

/** What was not looked at in a database with very many tables, for people. */
export function leftOutLines({
  leftOut = null,
  server,
}: Pick<Catalog, 'leftOut' | 'server'>): readonly string[] {
  if (leftOut === null) return [];
  const schemas = `${leftOut.schemas.join(', ')}${leftOut.more ? ', …' : ''}`;
  return [
    '',
    `The database has very many tables, and ${grouped(leftOut.tables)} of them were not looked at, because the search path of ${server.role} does not have their schemas (${schemas}). If yours are among them: alter role ${escapeIdentifier(server.role)} set search_path = …`,
  ];
}
