import { escapeIdentifier } from 'pg';
import { PAY } from '../../../entities/drafting/drafting.js';
import type { CatalogServer, CatalogTable } from '../../catalog/catalog.js';
import { draftable } from '../draftables.js';
import { type Link, linksTo } from '../links.js';
import { isBothDegrees } from '../rank/column-matches.js';
import { qualified, sqlOf } from '../sql-text.js';
import { findStem, isPersonalColumn, plainName, stems, wordsOf } from '../words.js';
import type { DraftQuery } from './draft-query.js';
import { type Cycles, isCycle, type QueryFacts } from './look-at-values.js';
import type { Opened } from './open-columns.js';

/** The period that an amount is for, and whether it may be shown. */
const PAY_PERIOD = /(^|_)(per|period|periode|unit|interval|frequency|basis|satuan)(_|$)/;

const PAY_SECRET =
  /(^|_)(secret|hide|hidden|rahasia|dirahasiakan|tampil|show|shown|visible|disclosed|public|negotiable)(_|$)/;

const CHANGED =
  /(updated|modified|changed|diubah|diperbarui|write_date|last_update|tgl_ubah|edited|perubahan)/;

export interface NoticeContext {
  readonly server: CatalogServer;
  readonly links: readonly Link[];
  readonly cycles: Cycles;
  /** Table of the entity that the records name. */
  readonly parent: CatalogTable | undefined;
}

/** What a person should know about the table of a draft, beyond its columns. */
export interface Notices {
  /** To be decided: these stand in the query, too. */
  readonly questions: readonly string[];
  readonly remarks: readonly string[];
}

/**
 * What the columns and policies of a table mean for the sync although no column of the contract is about it: pay by the
 * hour, keys that are made again each year, rows that are hidden. Questions stand in the query too, remarks do not.
 */
export function findNotices(
  query: DraftQuery,
  facts: QueryFacts,
  languages: Opened['languages'],
  { server, links, parent, cycles: codes }: NoticeContext,
): Notices {
  const { table } = query;
  const remarks = [
    ...rowSecurity(query, server),
    ...encrypted(query),
    ...repeatingKeys(query),
    ...unmaintained(query),
  ];
  const questions = [
    ...languages.map(
      ({ column, keys }) =>
        `${table.name}.${column}: jsonb by language (${keys.map(({ path, count }) => `${path.join('.')} ${count}`).join(', ')}). The draft takes Indonesian first, then the others; decide.`,
    ),
    ...unread(query),
    ...degrees(query, links),
    ...pay(query),
    ...numbersAsCodes(query, facts),
    ...cycles(query, parent, codes),
    ...flagsOfChildren(query, links),
    ...unusedSorts(query, links),
  ];
  return { questions, remarks };
}

function rowSecurity({ table }: DraftQuery, { role }: CatalogServer): readonly string[] {
  if (!table.rowSecurity.applies) return [];
  const policies = table.rowSecurity.policies
    .map(({ name, expression }) => `${name}: ${expression ?? 'true'}`)
    .join('; ');
  return [
    `${table.title}: row-level security hides rows from ${role} (${policies === '' ? 'no policy' : policies}). The worker refuses such a query, because hidden rows look like deleted ones. A superuser may run: ALTER ROLE ${quoted(role)} BYPASSRLS; or the owner of the table: CREATE POLICY placement_sync ON ${table.sqlName} FOR SELECT TO ${quoted(role)} USING (true); with source.rowSecurity: allow, which also accepts rows that are hidden on purpose.`,
  ];
}

/** Columns beside an amount that change what it means. */
function pay({ table, columns }: DraftQuery): readonly string[] {
  if (!columns.some(({ target }) => target === 'min_salary_amount')) return [];
  const ofPay = new RegExp(PAY);
  return table.columns.flatMap(({ name }) => {
    const words = plainName(name);
    if (!ofPay.test(words)) return [];
    if (PAY_PERIOD.test(words))
      return [
        `${table.name}.${name}: the period of the pay. The platform shows pay as it is sent: convert yearly, daily or hourly pay in the query.`,
      ];
    if (PAY_SECRET.test(words))
      return [`${table.name}.${name}: pay may be secret. Then keep it out: case when … then the amount end.`];
    return [];
  });
}

/** Latitude and longitude in one text. */
function degrees({ table, entity }: DraftQuery, links: readonly Link[]): readonly string[] {
  if (!draftable(entity).targets.some(({ kind }) => kind === 'degrees')) return [];
  const below = links.filter(({ to, guessed }) => to.oid === table.oid && !guessed).map(({ from }) => from);
  return [table, ...below].flatMap(({ name, columns }) =>
    columns
      .filter((column) => column.kind === 'text' && isBothDegrees(column.name))
      .map(
        (column) =>
          `${name}.${column.name}: latitude and longitude in one text. The draft leaves it out; split_part(…, ',', 1) and split_part(…, ',', 2) may take it apart.`,
      ),
  );
}

/** JSON that may belong to people. */
function unread({ table }: DraftQuery): readonly string[] {
  return table.columns
    .filter(({ name, kind }) => kind === 'json' && isPersonalColumn(name))
    .map(
      ({ name }) =>
        `${table.name}.${name}: JSON that may belong to people, so it was not looked at. If it has a telephone or e-mail of the record, take it from there.`,
    );
}

function encrypted({ table }: DraftQuery): readonly string[] {
  const found = table.columns.filter(({ name }) =>
    /encrypt|cipher|terenkripsi|(^|_)enc(_|$)/i.test(plainName(name)),
  );
  return found.length === 0
    ? []
    : [
        `${table.name}: ${found.map(({ name }) => name).join(', ')} look encrypted. The draft leaves them out; only the application can decrypt them.`,
      ];
}

function numbersAsCodes({ columns }: DraftQuery, { codes }: QueryFacts): readonly string[] {
  return columns.flatMap(({ target, column, from }) => {
    const counts = codes.get(target)?.filter(({ value }) => value !== null) ?? [];
    const isNameless = counts.length > 0 && counts.every(({ label }) => label === null);
    return column?.kind === 'integer' && isNameless
      ? [
          `${from}: numbers without names; their meaning is in the application's code. Fill in the ids of ${target}.`,
        ]
      : [];
  });
}

function repeatingKeys({ columns, entity }: DraftQuery): readonly string[] {
  const key = columns.find(({ target }) => target === 'key');
  if (!key || key.column?.kind === 'uuid') return [];
  return [
    `${key.from}: no UUIDs, so other databases may have the same keys. Use a namespace of its own for each database (PLACEMENT_SYNC_NAMESPACE) and never change it; the platform ids of ${entity} are made with it.`,
  ];
}

/** A time of change that nobody is sure to set is no row version. */
function unmaintained({ table }: DraftQuery): readonly string[] {
  return table.columns.flatMap(({ name, kind }) => {
    const isChange = ['timestamp', 'timestamptz'].includes(kind) && CHANGED.test(plainName(name));
    return !isChange || table.updateTriggers.some((source) => source.includes(name))
      ? []
      : [
          `${table.name}.${name}: no trigger maintains it, so it may stay the same when a row changes. The draft has no row_version; the worker compares whole rows.`,
        ];
  });
}

const CHILD_FLAG =
  /(^|_)(publish|published|is_published|active|is_active|visible|confirmed|is_confirmed|approved|discarded_at|deleted_at|archived_at|cancelled|called_off|draft|status|state)(_|$)/;

function cycles(
  { table, columns }: DraftQuery,
  parent: CatalogTable | undefined,
  { withYear, kept }: Cycles,
): readonly string[] {
  const key = columns.find(({ target }) => target === 'key');
  const inKey = table.primaryKey?.filter((name) => isCycle(name)) ?? [];
  if (inKey.length > 0)
    return [
      `${table.name}: the key has ${inKey.join(', ')}, so ids may be renewed with each cycle: use the code as the key.`,
    ];
  if (withYear.length > 0)
    return [
      `${table.name}: ${withYear.join(', ')} contain a year. If the records are made again each year, ids are renewed: use the code without the year as the key, and take the current year only.`,
    ];
  const cycleOf = (of: CatalogTable | undefined) =>
    of?.columns.find(({ name, kind }) => ['integer', 'text'].includes(kind) && isCycle(name));
  const own = cycleOf(table);
  const above = cycleOf(parent);
  if (kept === null || (!own && !above)) return [];
  const rows = own
    ? `rows have ${article(own.name)}`
    : `rows belong to ${parent?.name ?? ''}, which has ${article(above?.name ?? '')}`;
  const code = kept.find((name) => name !== key?.column?.name);
  const instead =
    code === undefined
      ? 'no code of it is filled in each row and different within one, so ask for what a record keeps'
      : `${code} is filled in each row and different within one: use it as the key`;
  return [
    `${table.name}: ${rows}. If they are made again each time, ids are renewed: ${instead}, and take the current ${(own ?? above)?.name ?? ''} only.`,
  ];
}

/** Children that say by themselves whether they are shown: a site, a text, a session of the record. */
function flagsOfChildren({ table }: DraftQuery, links: readonly Link[]): readonly string[] {
  const found = linksTo(links, table)
    .filter(({ guessed }) => !guessed)
    .flatMap(({ from }) =>
      from.columns
        .filter(({ name }) => CHILD_FLAG.test(plainName(name)))
        .map(({ name }) => `${from.name}.${name}`),
    );
  if (found.length === 0) return [];
  return [
    `${[...new Set(found)].slice(0, 8).join(', ')}: rows below ${table.name} may say what is shown, too.`,
  ];
}

/** What happened to a record is no part of it. */
const TRACES = stems(
  'message, pesan, log, audit, version, revision, history, riwayat, activity, notification, comment, komentar, session, event, job, slug, tracking, follower',
);

/** Rows of a table for several sorts of records that belong to this one, and that the draft does not use. */
function unusedSorts(
  { table, alias, joins, columns }: DraftQuery,
  links: readonly Link[],
): readonly string[] {
  const used = [
    ...joins.flatMap((join) => (join.kind === 'child' ? join.from : [])),
    ...columns.map(({ sql }) => sql),
  ];
  return links
    .filter(({ from, to }) => from.polymorphic === true && to.oid === table.oid)
    .filter(({ from }) => findStem(wordsOf(from.name), TRACES) < 0)
    .filter(({ from }) => !used.some((line) => line.includes(from.sqlName)))
    .map(({ from, column, toColumn }) => {
      const id = sqlOf(from, column);
      const first = (from.primaryKey ?? [column]).map((name) => `x.${sqlOf(from, name)}`).join(', ');
      return `${from.comment ?? from.name}: rows that belong to ${table.name}, not used in the draft. If you need COLUMN of them: left join (select x.${id}, (array_agg(x.COLUMN order by ${first}))[1] as COLUMN from ${from.sqlName} x group by x.${id}) x on x.${id} = ${qualified(table, alias, toColumn)}.`;
    });
}

function quoted(role: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(role) ? role : escapeIdentifier(role);
}

function article(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}
