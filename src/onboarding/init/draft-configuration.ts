import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { configText } from './config-text.js';
import { csvText } from './csv-text.js';
import { draftable } from './draftable.js';
import type { Condition, DraftQuery } from './draft-query.js';
import type { QueryFacts, ValueCount } from './facts.js';
import { findNotices } from './find-notices.js';
import { leftOutLines } from './left-out-lines.js';
import { findLinks } from './links.js';
import { countCodes, countCondition, lookAtValues } from './look-at-values.js';
import { lookAtJson } from './look-at-json.js';
import { lookAtCycles } from './look-at-cycles.js';
import { lookAtNumbers } from './look-at-numbers.js';
import { lookAtTables } from './look-at-tables.js';
import { lookupFiles, type References } from './lookup-files.js';
import { makeQuery } from './make-query.js';
import { openQuestions } from './open-questions.js';
import { parentCondition } from './parent-condition.js';
import { checkText, queryText } from './query-text.js';
import type { Candidate } from './candidate.js';
import { refineQuery } from './refine-query.js';
import { reportLines, type Drafted } from './report-lines.js';
import { behindComma, withCountry } from './split-place.js';
import { unfoldJson, type Unfolded } from './unfold-json.js';

export interface Draft {
  /** By path below the configuration's folder. */
  readonly files: ReadonlyMap<string, string>;
  /** What is still to be decided. */
  readonly report: readonly string[];
}

/**
 * Drafts configuration, queries and lookups for the chosen tables. Reads no column that belongs to people, and no more
 * rows than a sample, except to count codes.
 *
 * @param chosen the table of each entity, in the order of the contract
 */
export async function draftConfiguration(
  read: ReadOnly,
  catalog: Catalog,
  chosen: ReadonlyMap<string, CatalogTable>,
  ranking: ReadonlyMap<string, readonly Candidate[]>,
  references: References,
): Promise<Draft> {
  const opened = new Map<number, Unfolded>();
  for (const table of new Set(chosen.values())) {
    const numbered = await lookAtNumbers(read, table);
    opened.set(table.oid, unfoldJson(numbered, await lookAtJson(read, numbered)));
  }
  const tableOf = (table: CatalogTable) => opened.get(table.oid)?.table ?? table;
  const tables = catalog.tables.map(tableOf);
  const closed = findLinks({ ...catalog, tables });
  const known = await lookAtTables(
    read,
    new Set([...chosen.values()].map(({ oid }) => oid)),
    closed,
    references,
  );
  const links = findLinks({
    ...catalog,
    tables: tables.map((table) => known.opened.get(table.oid) ?? table),
  });
  const context = {
    links,
    known,
    ranking,
    chosen: new Map([...chosen].map(([entity, table]) => [entity, tableOf(table)])),
  };
  const drafted: Drafted[] = [];
  for (const [entity, table] of context.chosen) {
    const query = makeQuery(entity, table, context);
    const values = await lookAtValues(read, query);
    const refined = refineQuery(values === null ? withoutLook(query) : query, values ?? new Map());
    const draft = { ...refined, query: await splitPlace(read, refined.query) };
    const facts = await countAll(read, draft.query);
    const conditions = draft.query.conditions.filter((condition) => isQuestion(condition, facts));
    const above = drafted.find((each) => each.draft.query.entity === draftable(entity).entity.parent?.entity);
    const ofParent = parentCondition(draft.query, above && { query: above.draft.query, facts: above.facts });
    drafted.push({
      draft: { ...draft, query: { ...draft.query, conditions, ofParent } },
      facts,
      notices: findNotices(draft.query, facts, opened.get(table.oid)?.languages ?? [], {
        server: catalog.server,
        links: links.filter(({ from }) => ![...context.chosen.values()].some(({ oid }) => oid === from.oid)),
        cycles: draftable(entity).cyclic ? await lookAtCycles(read, chosen.get(entity) ?? table) : [],
        parent: context.chosen.get(draftable(entity).entity.parent?.entity ?? ''),
      }),
      refused: await refusal(read, draft.query),
    });
  }
  const lookups = lookupFiles(
    drafted.map(({ draft, facts }) => ({ query: draft.query, facts })),
    references,
  );
  const drafts = drafted.map(({ draft }) => draft);
  return {
    files: new Map([
      ['placement-sync.yaml', configText(drafts, lookups)],
      ...drafted.map(
        ({ draft, facts, notices }) =>
          [
            `queries/${draft.query.entity}.sql`,
            queryText(draft.query, facts.conditions, openQuestions(draft.query, notices.questions)),
          ] as const,
      ),
      ...lookups.map((file) => [file.path, csvText(file)] as const),
    ]),
    report: [...leftOutLines(catalog), ...reportLines(drafted, lookups, ranking)],
  };
}

async function splitPlace(read: ReadOnly, query: DraftQuery): Promise<DraftQuery> {
  const country = behindComma(query);
  const counts = country && (await countCodes(read, query, country));
  return country && counts ? withCountry(query, country, counts) : query;
}

function withoutLook(query: DraftQuery): DraftQuery {
  const finding = `The values of ${query.table.name} could not be looked at in time: the draft has names and types only.`;
  return { ...query, findings: [...query.findings, finding] };
}

/** A text with many values is no flag, and a flag without values asks nothing. What could not be counted is asked. */
function isQuestion({ sql, column, kind }: Condition, { conditions }: QueryFacts): boolean {
  const counts = conditions.get(sql);
  if (kind === 'closing' || ['date', 'timestamp', 'timestamptz'].includes(column.kind)) return true;
  if (counts === undefined) return true;
  if (counts === null) return column.kind !== 'text';
  return counts.some(({ value }) => value !== null);
}

async function countAll(read: ReadOnly, query: DraftQuery): Promise<QueryFacts> {
  const conditions = new Map<string, readonly ValueCount[] | null>();
  for (const condition of query.conditions) {
    const counts = await countCondition(read, query, condition);
    if (counts !== 'refused') conditions.set(condition.sql, counts === 'too many' ? null : counts);
  }
  const codes = new Map<string, readonly ValueCount[] | null>();
  for (const column of query.columns)
    if (column.codes) codes.set(column.target, await countCodes(read, query, column));
  return { values: new Map(), conditions, codes };
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
