import type pg from 'pg';
import { platformId } from '../../domain/key.js';
import { type Area, AREAS } from '../../domain/names.js';
import { grouped, plural, visibleText, withoutFormula } from '../../domain/text.js';
import { ENTITIES } from '../../entities/index.js';
import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { draftable } from './column-matches.js';
import type { Condition, DraftQuery } from './draft-query.js';
import { findNotices } from './find-notices.js';
import { behindComma, withCountry } from './find-region.js';
import { type Candidate, findLinks } from './links.js';
import {
  lookAtCycles,
  lookAtJson,
  lookAtNumbers,
  lookAtTables,
  type Unfolded,
  unfoldJson,
} from './look-at-tables.js';
import {
  countCodes,
  countCondition,
  lookAtValues,
  type QueryFacts,
  type ValueCount,
} from './look-at-values.js';
import { type LookupFile, lookupFiles, type LookupLine, lookupsOf, type References } from './lookup-files.js';
import { makeQuery } from './make-query.js';
import { checkText, parentCondition, queryText } from './query-text.js';
import { type Refined, refineQuery } from './refine-query.js';
import { type Drafted, leftOutLines, openQuestions, reportLines } from './report-lines.js';

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

/** The drafted configuration. */
function configText(drafts: readonly Refined[], lookups: readonly LookupFile[]): string {
  const drafted = drafts.map(({ query }) => draftable(query.entity).entity.area);
  const areas = AREAS.filter((area) => drafted.includes(area));
  return [
    '# yaml-language-server: $schema=./placement-sync.schema.json',
    '#',
    '# Drafted by `placement-sync init` from the tables of your database. Lines with "decide:" need a person.',
    '# ${NAME} is filled in from the environment (see .env.example). docs/reference/settings.md has every setting.',
    '',
    'source:',
    '  url: ${SOURCE_DATABASE_URL}',
    '  # decide: the zone of your "timestamp without time zone" columns; ask the authors of the application.',
    '  # timeZone: Asia/Jakarta',
    '',
    '# Where the worker stores what it sent. Unset: a schema in the database of source.url, which needs a role that may',
    '# create it.',
    'state:',
    '  url: ${STATE_DATABASE_URL:-}',
    '  schema: ${PLACEMENT_SYNC_SCHEMA:-placement_sync}',
    '',
    '# For keys that are no UUIDs. One for each source database; never change it.',
    'ids:',
    '  namespace: ${PLACEMENT_SYNC_NAMESPACE}',
    '',
    'platform:',
    ...areas.flatMap(areaLines),
    '',
    'entities:',
    ...drafts.flatMap((draft) => entityLines(draft, lookups)),
    '',
  ].join('\n');
}

/** Its variables are those of `.env.example`. */
const PREFIXES: Readonly<Record<Area, string>> = { jobs: 'JOSS', training: 'TOSS' };

function areaLines(area: Area): readonly string[] {
  const prefix = PREFIXES[area];
  const titles = ENTITIES.filter((entity) => entity.area === area).map(({ titles }) =>
    titles.en.toLowerCase(),
  );
  return [
    `  ${area}: # ${new Intl.ListFormat('en-GB').format(titles)}`,
    `    baseUrl: \${${prefix}_BASE_URL:-https://sandbox.${prefix.toLowerCase()}.kemnaker.go.id}`,
    `    clientId: \${${prefix}_CLIENT_ID}`,
    `    clientSecret: \${${prefix}_CLIENT_SECRET}`,
  ];
}

function entityLines({ query, plainText }: Refined, files: readonly LookupFile[]): readonly string[] {
  const { entity } = query;
  const { assumedRequired, statusField } = draftable(entity).entity;
  const lookups = lookupsOf(files, entity);
  return [
    `  ${entity}:`,
    `    query: queries/${entity}.sql`,
    ...(lookups.length > 0
      ? ['    lookups:', ...lookups.map(({ column, path }) => `      ${column}: ${path}`)]
      : []),
    ...(plainText.length > 0
      ? ['    # Columns in which HTML was found.', `    plainText: [${plainText.join(', ')}]`]
      : []),
    ...(assumedRequired.includes('region_id')
      ? [
          '    # decide: records whose city has no id are not sent. This sends them without a region:',
          '    # required: []',
        ]
      : []),
    `    # What is sent when the query no longer returns a record: nothing, until you set ${statusField === null ? '' : 'close or '}delete.`,
    '    onVanished: report',
    '',
  ];
}

/**
 * A lookup as CSV: every code with its id (empty: undecided), its name, how many records have it, and a note. Names come
 * from the partner's rows, so they cannot act in a spreadsheet or on a terminal; a code has to stay as it is.
 */
export function csvText({ lines }: Pick<LookupFile, 'lines'>): string {
  const rows = lines.map((line) =>
    [oneLine(line.code), line.id, harmless(line.name), String(line.count), harmless(noteOf(line))]
      .map(quoted)
      .join(','),
  );
  return ['code,id,name,count,note', ...rows, ''].join('\n');
}

function noteOf({ code, note }: LookupLine): string {
  const written = oneLine(code);
  return [
    ...(note === '' ? [] : [note]),
    ...(withoutFormula(written) === written
      ? []
      : ['a spreadsheet takes the code for a formula: edit this file as text']),
    ...(visibleText(written) === written
      ? []
      : [`the code has characters that are not seen: ${visibleText(written)}`]),
  ].join('; ');
}

/** The blanks of a code do not count. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function harmless(text: string): string {
  return withoutFormula(visibleText(oneLine(text)));
}

function quoted(text: string): string {
  return /[",;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The `.env.example` of a draft: of the variables of the program's example those that the drafted configuration reads, and
 * those that the program reads itself.
 *
 * @param example the program's own file
 * @param file path of the drafted configuration
 */
export function variablesText(
  example: string,
  configuration: string,
  { file, namespace }: { readonly file: string; readonly namespace: string | null },
): string {
  const read = new Set([...configuration.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
  const [header = '', ...blocks] = example.trimEnd().split('\n\n');
  const kept = blocks.flatMap((block) => {
    const name = /^#? ?([A-Z_]+)=/m.exec(block)?.[1] ?? '';
    if (name === 'PLACEMENT_SYNC_CONFIG') return [`# The configuration file.\nPLACEMENT_SYNC_CONFIG=${file}`];
    return read.has(name) ? [block] : [];
  });
  return [header.replace(/config\/placement-sync\.example\.yaml/, file), ...kept, '']
    .join('\n\n')
    .replace(/\n+$/, '\n')
    .replace(/^(PLACEMENT_SYNC_NAMESPACE=)$/m, `$1${namespace ?? ''}`);
}

/** Namespace of the proposals themselves; never change it. */
const PROPOSALS = '0c5d4a3e-5f0b-4a55-9a0e-3f6f1f5a7b21';

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

/** What a draft lacks because the database was too slow, for people. Empty: nothing. Pure. */
export function lateLines(
  { stopped, unbegun }: Late,
  limits: { readonly statementMs: number; readonly wholeMs: number },
): readonly string[] {
  if (stopped + unbegun === 0) return [];
  const seconds = String(limits.statementMs / 1_000);
  const minutes = String(limits.wholeMs / 60_000);
  return [
    '',
    'The database did not answer everything in time, so this draft lacks what was not seen: values, counts, codes, lookups.',
    ...(stopped === 0 ? [] : [`  - ${statements(stopped)} stopped after ${seconds} seconds`]),
    ...(unbegun === 0
      ? []
      : [`  - ${statements(unbegun)} not begun, because the ${minutes} minutes for all of them were over`]),
    'Draft again into another folder (--out DIR) when the database has less to do, or from a replica.',
  ];
}

function statements(count: number): string {
  return plural(count, 'one statement was', `${grouped(count)} statements were`);
}

/** How many statements gave no answer in time. */
interface Late {
  /** Stopped by the limit of one statement. */
  stopped: number;
  /** Not begun: the time of all of them was over. */
  unbegun: number;
}

/** By the limits on its time, and on waiting for locks. */
const STOPPED = new Set(['57014', '55P03']);

/** The same reading; what comes too late is counted in `late`. */
export function noteLate(read: ReadOnly, late: Late): ReadOnly {
  return {
    ...read,
    async attempt<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) {
      const answer = await read.attempt<T>(text, values);
      if ('refused' in answer && answer.refused.unbegun === true) late.unbegun += 1;
      else if ('refused' in answer && STOPPED.has(answer.refused.sqlstate)) late.stopped += 1;
      return answer;
    },
  };
}
