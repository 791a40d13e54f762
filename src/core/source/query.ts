import { closest } from '../domain/closest.js';
import { SyncError } from '../domain/errors.js';
import { misreadCharacter, sqlTokens } from '../domain/sql/sql-text.js';
import type { EntityQuery } from '../ports/source.js';
import { positionIn } from './source-error.js';
import type { Transaction } from './transaction.js';

/**
 * What is checked of the partner's query before its rows are read: that it is one SELECT that can be wrapped
 * (`prepareQuery`), that it returns the columns of its entity (`checkColumns`), and how the value of each column is to be
 * read (`describeQuery`).
 */

const FIRST_WORDS = ['select', 'with', 'values', 'table'];

/**
 * The partner's SQL, ready to be wrapped as `from (\n…\n) as …`: only the semicolon at its end and the text after it
 * are cut, so that every position is still valid in the file. A byte order mark becomes a blank.
 *
 * Errors: SyncError `query-failed` of scope `entity` when it is empty, not one SELECT, has a parameter such as
 * `$1`, a literal or comment that does not end (which would swallow the wrapper), or a character that people misread.
 */
export function prepareQuery(query: Pick<EntityQuery, 'entity' | 'file' | 'sql'>): string {
  const sql = query.sql.replace(/^\uFEFF/, ' ');
  const refuse = (problem: string, hint: string, offset?: number): SyncError => {
    const place = offset === undefined ? undefined : positionIn(sql, offset);
    const where = place ? `, line ${place.line}, column ${place.column}` : '';
    return new SyncError('query-failed', `The query of ${query.entity} (${query.file}${where}) ${problem}.`, {
      scope: 'entity',
      hint,
      details: { entity: query.entity, file: query.file, ...place },
    });
  };

  const misread = misreadCharacter(sql);
  if (misread) throw refuse(misread.problem, misread.hint, misread.at);
  let first: string | undefined;
  let semicolon: number | undefined;
  for (const token of sqlTokens(sql)) {
    const text = sql.slice(token.start, token.end);
    if (token.kind === 'open') {
      throw refuse('has a literal, a quoted name or a comment that does not end', 'Close it.', token.start);
    }
    if (token.kind === 'semicolon') {
      if (first === undefined) break;
      semicolon ??= token.start;
      continue;
    }
    if (semicolon !== undefined) {
      const hint = 'One SELECT only, with at most one semicolon at its end.';
      throw refuse('has more than one statement', hint, token.start);
    }
    if (token.kind === 'parameter') {
      const hint = 'Parameters are not supported: write the value itself.';
      throw refuse(`has the parameter ${text}`, hint, token.start);
    }
    if (first === undefined && text !== '(') {
      first = text.toLowerCase();
      const hint = 'One SELECT only (it may begin with WITH).';
      if (!FIRST_WORDS.includes(first)) throw refuse(`begins with "${text.slice(0, 40)}"`, hint, token.start);
    }
  }
  if (first === undefined)
    throw refuse('is empty', 'Write one SELECT that returns the columns of this entity.');
  return semicolon === undefined ? sql : sql.slice(0, semicolon);
}

/** The prepared query as a part of another statement; the line feed ends a trailing comment before the parenthesis. */
export function inParentheses(sql: string): string {
  return `(\n${sql}\n) as q`;
}

/**
 * Compares the columns that a query returns with those it may return.
 *
 * Errors: one SyncError `column-contract` of scope `entity` with every problem: columns without a name, doubled,
 * unknown (with the closest known name) and missing required ones.
 */
export function checkColumns(query: EntityQuery, names: readonly string[]): void {
  const known = query.columns.map((column) => column.name);
  const has = (name: string) => names.includes(name);
  const problems: string[] = [];
  const report = (problem: string) => {
    if (!problems.includes(problem)) problems.push(problem);
  };

  names.forEach((name, index) => {
    if (name === '?column?') {
      report(`column ${index + 1} has no name (give it one: … as name)`);
    } else if (names.indexOf(name) !== index) {
      report(`column "${name}" appears twice (leave one out)`);
    } else if (!known.includes(name)) {
      const missing = known.filter((candidate) => !has(candidate));
      const near = closest(name, missing);
      report(`column "${name}" is unknown (${near === null ? 'leave it out' : `did you mean "${near}"?`})`);
    }
  });

  const { entity, file } = query;
  const hints = [`Correct the select list in ${file}. The columns of ${entity} are: ${known.join(', ')}.`];
  for (const { name, required, wayOut } of query.columns) {
    if (!required || has(name)) continue;
    report(`the required column "${name}" is missing`);
    if (wayOut !== undefined) hints.push(`${wayOut}.`);
  }

  if (problems.length === 0) return;
  if (query.gone?.columns.some(has)) hints.unshift(query.gone.instead);
  throw new SyncError(
    'column-contract',
    `The query of ${entity} (${file}) does not return the columns of ${entity}: ${problems.join('; ')}.`,
    { scope: 'entity', hint: hints.join(' '), details: { entity, file, problems } },
  );
}

/** A column that the query returns, and how its value is read. */
export interface QueryColumn {
  readonly name: string;
  /** As SQL shows it: `character varying(40)`. */
  readonly type: string;
  /**
   * `json`: arrays and JSON; `typed`: keeps its JSON type; `padded-array`: an array of char(n);
   * `local-timestamp`: a timestamp without time zone; `instant`: one with; `text`: everything else.
   */
  readonly kind: 'json' | 'typed' | 'padded-array' | 'local-timestamp' | 'instant' | 'text';
  /** Whether Postgres can send it in binary form, which makes a row's md5 three times cheaper. */
  readonly binary: boolean;
}

const JSON_OIDS = new Set([114, 3802]);
const TIMESTAMP_OID = 1114;
const INSTANT_OID = 1184;
const PADDED_ARRAY_OID = 1014;

/**
 * Has Postgres describe a query, which describes a domain as its base type.
 *
 * @param from the query in parentheses
 */
export async function describeQuery(
  { run, describe }: Pick<Transaction, 'run' | 'describe'>,
  query: Pick<EntityQuery, 'columns'>,
  from: string,
): Promise<readonly QueryColumn[]> {
  const fields = await describe(`select * from ${from} limit 0`);
  const typed = query.columns.filter((column) => column.typed).map(({ name }) => name);
  const rows = await run<{ oid: string; type: string; category: string; binary: boolean }>(
    `select cast(t.oid as pg_catalog.text) as oid, pg_catalog.format_type(t.oid, null) as type,
       cast(t.typcategory as pg_catalog.text) as category,
       t.typsend OPERATOR(pg_catalog.<>) 0 and coalesce(e.typsend OPERATOR(pg_catalog.<>) 0, true) as binary
     from pg_catalog.pg_type t left join pg_catalog.pg_type e on e.oid OPERATOR(pg_catalog.=) t.typelem
     where t.oid OPERATOR(pg_catalog.=) any (cast($1 as pg_catalog.oid[]))`,
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  );
  const types = new Map(rows.map((row) => [Number(row.oid), row]));
  return fields.map(({ name, dataTypeID }) => {
    const type = types.get(dataTypeID);
    const kindOf = (): QueryColumn['kind'] => {
      if (dataTypeID === PADDED_ARRAY_OID) return 'padded-array';
      const json = type?.category === 'A' || JSON_OIDS.has(dataTypeID);
      if (typed.includes(name) && (json || ['N', 'B'].includes(type?.category ?? ''))) return 'typed';
      if (json) return 'json';
      if (dataTypeID === TIMESTAMP_OID) return 'local-timestamp';
      return dataTypeID === INSTANT_OID ? 'instant' : 'text';
    };
    return { name, type: type?.type ?? 'unknown', kind: kindOf(), binary: type?.binary ?? false };
  });
}
