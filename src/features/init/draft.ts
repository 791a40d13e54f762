import { platformId } from '../../core/domain/key.js';
import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { draftable } from './draftables.js';
import type { References } from './guess-ids.js';
import { findLinks, linksFrom } from './links.js';
import { withCityOfAddress } from './map/address-tail.js';
import { withAgreedCodes } from './map/agreement.js';
import { type AskedParent, askParent } from './map/ask-parent.js';
import { lookAtNeighbours } from './map/look-at-neighbours.js';
import { countCodes, countCondition, lookAtValues, type QueryFacts } from './map/look-at-values.js';
import { openColumns } from './map/open-columns.js';
import {
  type DraftColumn,
  type DraftQuery,
  emptyColumn,
  inOrder,
  type ValueCount,
} from './map/draft-query.js';
import { hiddenRows, withPayQuestions } from './map/find-notices.js';
import { makeQuery } from './map/make-query.js';
import { refineQuery, withRequired } from './map/refine-query.js';
import type { Ranking } from './rank.js';
import { isQuestion } from './write/condition-text.js';
import { configText } from './write/configuration-text.js';
import { csvText, lookupFiles } from './write/lookup-files.js';
import { askedText, checkText, parentCondition, queryText } from './write/query-text.js';
import { type Drafted, leftOutLines, reportLines } from './write/report-lines.js';

export interface Draft {
  /** By path below the configuration's folder. */
  readonly files: ReadonlyMap<string, string>;
  /** What is still to be decided. */
  readonly report: readonly string[];
}

/**
 * The last step of `init`: from the chosen tables to the files of a configuration. The tables and their neighbours are
 * looked at more closely first. Then each entity, parents before children: names and types make a query (`map/make-query`),
 * a look at its values refines it, codes and flags are counted. What is known then is written (`write/`): configuration,
 * queries, lookups, and a report of what a person has to decide.
 *
 * Reads no column that belongs to people, and no more rows than a sample, except to count codes.
 *
 * @param chosen the table of each entity, in the order of the contract
 */
export async function draft(
  read: ReadOnly,
  catalog: Catalog,
  { chosen, ranking, references }: DraftOptions,
): Promise<Draft> {
  const context = await openTables(read, catalog, { chosen, ranking, references });
  const drafted: Drafted[] = [];
  for (const [entity, table] of context.chosen) {
    const parent = draftable(entity).entity.parent?.entity;
    const above = drafted.find(({ draft: { query } }) => query.entity === parent);
    drafted.push(await draftEntity(read, makeQuery(entity, table, context), { ...context, above }, catalog));
  }
  const lookups = lookupFiles(
    drafted.map(({ draft: { query }, facts }) => ({ query, facts })),
    references,
  );
  const asked = drafted.flatMap((each) => each.asked ?? []);
  const all = [
    ...asked.map(({ entity }) => ({ entity, plainText: [] })),
    ...drafted.map(({ draft: { query, plainText } }) => ({ entity: query.entity, plainText })),
  ];
  return {
    files: new Map([
      ['placement-sync.yaml', configText(all, lookups)],
      ...asked.map((each) => [`queries/${each.entity}.sql`, askedText(each)] as const),
      ...drafted.map(
        ({ draft: { query }, facts }) =>
          [`queries/${query.entity}.sql`, queryText(query, facts.conditions)] as const,
      ),
      ...lookups.map((file) => [file.path, csvText(file)] as const),
    ]),
    report: [...leftOutLines(catalog), ...reportLines(drafted, lookups, ranking)],
  };
}

interface DraftOptions {
  readonly chosen: ReadonlyMap<string, CatalogTable>;
  readonly ranking: Ranking;
  readonly references: References;
}

/** The chosen tables and their neighbours with their columns as the values are. */
async function openTables(read: ReadOnly, catalog: Catalog, { chosen, ranking, references }: DraftOptions) {
  const opened = new Map<number, CatalogTable>();
  for (const table of new Set(chosen.values())) opened.set(table.oid, await openColumns(read, table));
  const openedTable = (table: CatalogTable) => opened.get(table.oid) ?? table;
  const tables = catalog.tables.map(openedTable);
  const oids = new Set([...chosen.values()].map(({ oid }) => oid));
  const known = await lookAtNeighbours(read, oids, findLinks({ ...catalog, tables }), references);
  return {
    links: findLinks({ ...catalog, tables: tables.map((table) => known.opened.get(table.oid) ?? table) }),
    known,
    ranking,
    references,
    chosen: new Map([...chosen].map(([entity, table]) => [entity, openedTable(table)])),
  };
}

type Context = Awaited<ReturnType<typeof openTables>> & {
  /** The draft of the parents, if there is one. */
  readonly above: Drafted | undefined;
};

/** The draft of one entity, after looks at its values, codes and conditions. */
async function draftEntity(
  read: ReadOnly,
  named: DraftQuery,
  { links, known, chosen, references, above }: Context,
  catalog: Catalog,
): Promise<Drafted> {
  const values = await lookAtValues(read, named);
  const refined = refineQuery(values === null ? withoutLook(named) : named, values ?? new Map());
  const placed = await withCityOfAddress(read, refined.query, references);
  const facts = await countAll(read, placed);
  const paid = await withPayQuestions(read, withAgreedCodes(placed, facts.codes, references));
  const definition = draftable(named.entity);
  const { parent } = definition.entity;
  const asked =
    parent === null || chosen.has(parent.entity)
      ? null
      : await askParent(
          read,
          named,
          definition,
          linksFrom(links, named.table).filter(({ to }) => !known.cities.has(to.oid)),
        );
  const required = withRequired(withParents(paid, asked));
  const conditions = required.conditions.filter((each) => isQuestion(each, facts.conditions.get(each.sql)));
  const ofParent = parentCondition(required, above && { query: above.draft.query, facts: above.facts });
  const query = { ...required, conditions, ofParent };
  return {
    draft: { ...refined, query },
    facts,
    asked,
    questions: queryText(query, facts.conditions).split('-- decide: ').length - 1,
    hidden: hiddenRows(named.table, catalog.server.role),
    refused: await refusal(read, query),
  };
}

/** The draft with what may name the parent, before a null that a person replaces. */
function withParents(query: DraftQuery, asked: AskedParent | null): DraftQuery {
  const target = asked?.offers[0]?.target;
  if (!asked || target === undefined) return query;
  return {
    ...query,
    columns: inOrder(draftable(query.entity), [...query.columns, emptyColumn(target, '')]),
    offers: [...asked.offers, ...query.offers],
  };
}

function withoutLook(query: DraftQuery): DraftQuery {
  const finding = `The values of ${query.table.name} could not be looked at in time: the draft has names and types only.`;
  return { ...query, findings: [...query.findings, finding] };
}

async function countAll(read: ReadOnly, query: DraftQuery): Promise<QueryFacts> {
  const conditions = new Map<string, readonly ValueCount[] | null>();
  for (const condition of query.conditions) {
    const counts = await countCondition(read, query, condition);
    if (counts !== 'refused')
      conditions.set(condition.sql, counts === 'too many' ? null : withMeanings(counts, condition.column));
  }
  const codes = new Map<string, readonly ValueCount[] | null>();
  for (const column of query.columns)
    if (column.codes) {
      const counts = await countCodes(read, query, column);
      codes.set(column.target, counts && withMeanings(counts, column.column));
    }
  return { conditions, codes };
}

/** A code without a name is called as the column's comment says. */
function withMeanings(counts: readonly ValueCount[], column: DraftColumn['column']): readonly ValueCount[] {
  return counts.map((count) => ({
    ...count,
    label: count.label ?? column?.meanings?.[count.value ?? ''] ?? null,
  }));
}

/** Plans the query without running it, and without the columns that belong to people. Null: the server takes it. */
async function refusal(read: ReadOnly, query: DraftQuery): Promise<string | null> {
  const answer = await read.attempt(`explain ${checkText(query)}`);
  if (!('refused' in answer)) return null;
  const { sqlstate, message } = answer.refused;
  return sqlstate === '57014'
    ? 'whether the server takes the query could not be seen in time'
    : `the server does not take the query: ${message}`;
}

/**
 * A value for `ids.namespace`: another one for each database, and the same each time, also on a replica. Null: the role
 * may not read the server's identifier.
 */
export async function proposeNamespace(read: ReadOnly, database: string): Promise<string | null> {
  const answer = await read.attempt<{ id: string }>(
    'select cast(system_identifier as text) as id from pg_catalog.pg_control_system()',
  );
  const id = 'rows' in answer ? answer.rows[0]?.id : undefined;
  return id === undefined ? null : platformId('database', `${id}/${database}`, PROPOSALS);
}

/** Namespace of the proposals themselves; never change it. */
const PROPOSALS = '0c5d4a3e-5f0b-4a55-9a0e-3f6f1f5a7b21';
