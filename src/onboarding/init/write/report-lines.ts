import { escapeIdentifier } from 'pg';
import { counted, grouped, plural } from '../../../domain/text.js';
import { entity as entityOf } from '../../../entities/index.js';
import type { Catalog, CatalogTable } from '../../catalog/catalog.js';
import { draftable, DRAFTABLES } from '../draftables.js';
import { LOOK_LIMITS, type QueryFacts } from '../map/look-at-values.js';
import { type DraftQuery, missingTargets } from '../map/draft-query.js';
import type { Notices } from '../map/find-notices.js';
import type { Refined } from '../map/refine-query.js';
import type { Ranking } from '../rank.js';
import { tableTitle } from '../sql-text.js';
import { findStem, isPeopleTable, wordsOf } from '../words.js';
import type { LookupFile } from './lookup-files.js';
import { conditionQuestion } from './condition-text.js';

/**
 * What `init` prints at its end, for people: for each entity the table, what was not found, and every question; then
 * the entities without a draft, and how far the lookups are decided.
 */

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
  ranking: Ranking,
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

/** A view may be slow, or refuse: then its rows are not known. What `init` makes itself is not counted. */
function withRows(table: CatalogTable): string {
  const { rows } = table;
  if (rows === null && table.oid < 0) return tableTitle(table);
  const text = rows === null ? 'not counted: it took too long, or failed' : `${grouped(rows)} rows`;
  return `${tableTitle(table)} (${text})`;
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
function undraftedLines(drafted: ReadonlySet<string>, ranking: Ranking): readonly string[] {
  const lines = DRAFTABLES.flatMap(({ name, entity, rival }) => {
    if (drafted.has(name)) return [];
    const first = ranking.get(name)?.[0];
    const child = entity.parent === null && rival !== undefined ? entityOf(rival).name : undefined;
    const without =
      child !== undefined && !ranking.has(child)
        ? ` No table looks like ${child}, which would name them.`
        : '';
    if (first === undefined) return [`${name}: no table looks like them.${without}`];
    if (first.taken === null) return [];
    return [
      `${name}: the likeliest table is ${tableTitle(first.table)}, which is drafted as ${first.taken}. One table is not taken twice unasked; init without --yes asks.${without}`,
    ];
  });
  return ['', 'not drafted:', ...[...lines, STATUSES].map((line) => `  - ${line}`)];
}

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

/** Tables that may say more of the records, and that the role may not read, for people. Those of people are not missed. */
export function unreadableLines(
  { tables, server }: Catalog,
  chosen: ReadonlyMap<string, CatalogTable>,
): readonly string[] {
  const own = new Set([...chosen.values()].map(({ oid }) => oid));
  const named = new Set([...chosen.values()].flatMap(({ foreignKeys }) => foreignKeys.map(({ to }) => to)));
  const words = DRAFTABLES.flatMap(({ sure }) => sure);
  const missed = tables.filter(
    ({ selectable, name, oid, foreignKeys }) =>
      !selectable &&
      !isPeopleTable(name) &&
      (named.has(oid) || foreignKeys.some(({ to }) => own.has(to)) || findStem(wordsOf(name), words) >= 0),
  );
  if (missed.length === 0) return [];
  const shown = missed.slice(0, MOST_MISSED);
  const more = missed.length > shown.length ? ', …' : '';
  const count = counted(missed.length, 'table');
  return [
    '',
    `${server.role} may not read ${count} that may say more of these records: ${shown.map(({ title }) => title).join(', ')}${more}. If ${plural(missed.length, 'it does', 'they do')}: grant select on ${shown.map(({ sqlName }) => sqlName).join(', ')}${more} to ${escapeIdentifier(server.role)}; then run init again, with another --out.`,
  ];
}

const MOST_MISSED = 10;

/**
 * The questions of a draft that stand at no line of its query: important columns that were not found, and what the table
 * leaves open.
 *
 * @param ofTable questions about the table
 */
export function openQuestions(query: DraftQuery, ofTable: readonly string[]): readonly string[] {
  const asked = query.columns.map(({ target }) => target);
  const missing = missingTargets(query, draftable(query.entity).wanted)
    // What stands there as null has its question beside it.
    .filter((target) => !asked.includes(target))
    .map(
      (target) =>
        `${target} was not found. If the database has it, write its SQL into the select list, followed by "as ${target}"; else delete this line`,
    );
  return [...missing, ...ofTable];
}
