import { columnSql } from './column-sql.js';
import type { CatalogTable } from '../catalog/catalog.js';
import { columnMatches, type ColumnMatch } from './column-matches.js';
import { TARGETS } from './targets/all-targets.js';
import type { DraftColumn, DraftQuery } from './draft-query.js';
import { findInChildren } from './find-children.js';
import { findCode, type FoundCode } from './find-codes.js';
import { findConditions } from './find-conditions.js';
import { findParentKey } from './find-parent-key.js';
import { findRegion, meaningsOf, PLACES } from './find-region.js';
import { findSkills } from './find-skills.js';
import type { Link } from './links.js';
import { isPersonalColumn } from './people.js';
import { createScope, fullName, keySql, type KnownTables, type Place, type Scope } from './scope.js';
import { findStem, wordsOf } from './words.js';

/** The parent's column in the query of a child. */
const PARENTS: Readonly<Record<string, { readonly entity: string; readonly target: string }>> = {
  vacancies: { entity: 'companies', target: 'company_key' },
  trainings: { entity: 'institutions', target: 'institution_key' },
};
/** What a record takes from its parent when it has none of its own. */
const FROM_PARENT: Readonly<Record<string, readonly string[]>> = {
  vacancies: ['region_id', 'industry'],
  trainings: ['region_id', 'address'],
};
/** The column whose time decides about the end of a record. */
const LAST_DAY: Readonly<Record<string, string>> = { vacancies: 'expire_at', trainings: 'expired_date' };

/** What the draft of a query needs to know. */
export interface DraftContext {
  readonly links: readonly Link[];
  /** The table chosen for each entity. */
  readonly chosen: ReadonlyMap<string, CatalogTable>;
  readonly known: KnownTables;
}

const ALIASES: Readonly<Record<string, string>> = {
  companies: 'c',
  vacancies: 'v',
  institutions: 'i',
  trainings: 't',
};

/** The draft of one entity's query, from names and types alone; what the values say comes later. Pure. */
export function makeQuery(entity: string, table: CatalogTable, context: DraftContext): DraftQuery {
  const place: Place = { table, alias: ALIASES[entity] ?? 'r' };
  const scope = createScope(place.alias, context.links, context.known);
  const matches = columnMatches(
    entity,
    { ...table, columns: table.columns.filter(({ selectable }) => selectable) },
    meaningsOf(table, context.links),
  );
  const columns: DraftColumn[] = [];
  const findings: string[] = [];
  const add = (found: DraftColumn | null | undefined): void => {
    if (found && !columns.some(({ target }) => target === found.target)) columns.push(found);
  };
  add(keyColumn(place));
  const relation = PARENTS[entity];
  const parent = relation && context.chosen.get(relation.entity);
  const above = relation && parent ? findParentKey(scope, place, parent, relation.target) : null;
  if (above) {
    add(above.column);
    if (above.finding !== null) findings.push(above.finding);
  } else if (relation?.target === 'company_key') {
    add(unknownKey(relation.target));
    findings.push(
      `Nothing in ${table.name} names ${parent ? parent.name : 'a company'}: company_key is null in the draft, and a vacancy needs it.`,
    );
  }
  for (const match of matches) {
    if (match.target === 'region_id' || match.target === 'skills') continue;
    if (match.column.name === above?.column.column?.name) continue;
    add(ownColumn(scope, place, match));
  }
  const region = matches.find(({ target }) => target === 'region_id');
  add(
    coded(
      'region_id',
      findRegion(scope, place, region?.column.name === above?.column.column?.name ? undefined : region),
    ),
  );
  if (entity === 'vacancies')
    add(findSkills(scope, place, matches.find(({ target }) => target === 'skills')?.column));
  for (const found of ranges(place, columns)) replace(columns, found);
  months(columns);
  currencies(columns);
  inPlaces(scope, place, entity, add);
  const others = new Set([...context.chosen.values()].map(({ oid }) => oid));
  findInChildren(scope, place, entity, missing(entity, columns), others).forEach(add);
  const inherited = (FROM_PARENT[entity] ?? []).filter((target) => missing(entity, columns).has(target));
  if (above && relation && parent && inherited.length > 0)
    fromParent(scope, above.place, relation.entity, inherited, context).forEach(add);
  for (const refused of table.columns.filter(({ selectable }) => !selectable))
    findings.push(`The role may not read ${fullName(table, refused.name)}: the draft leaves it out.`);
  const used = new Set(columns.flatMap(({ column }) => (column ? [column.name] : [])));
  const lastDay = columns.find(({ target }) => target === LAST_DAY[entity])?.column ?? null;
  return {
    entity,
    table,
    alias: place.alias,
    columns: ordered(entity, columns),
    joins: scope.joins(),
    conditions: findConditions(scope, place, used, lastDay),
    findings,
  };
}

function keyColumn(place: Place): DraftColumn | null {
  const key = keySql(place);
  if (!key) return null;
  const [only] = key.columns;
  const column =
    key.columns.length === 1 ? (place.table.columns.find(({ name }) => name === only) ?? null) : null;
  const guessed =
    place.table.primaryKey === null ? ['decide: no primary key says so; is it unique and never null?'] : [];
  return {
    target: 'key',
    kind: 'key',
    sql: key.sql,
    column,
    from: key.columns.map((name) => fullName(place.table, name)).join(', '),
    personal: false,
    codes: null,
    comments: guessed,
  };
}

function unknownKey(target: string): DraftColumn {
  return {
    target,
    kind: 'key',
    sql: 'cast(null as text)',
    column: null,
    from: '',
    personal: false,
    codes: null,
    comments: ['decide: nothing was found that names the company'],
  };
}

function ownColumn(scope: Scope, place: Place, match: ColumnMatch): DraftColumn {
  if (match.kind === 'code') {
    const found = coded(match.target, findCode(scope, place, match.column));
    if (found) return found;
  }
  return {
    target: match.target,
    kind: match.kind,
    sql: wholeSql(place, match),
    column: match.column,
    from: fullName(place.table, match.column.name),
    personal: match.kind === 'person' || isPersonalColumn(match.column.name),
    codes: null,
    comments: [],
  };
}

/** A list of texts is one text; of several telephone numbers the first is taken. */
function wholeSql(place: Place, { kind, column }: ColumnMatch): string {
  const sql = columnSql(place.alias, column);
  if (column.kind !== 'array') return sql;
  return kind === 'text' ? `array_to_string(${sql}, E'\\n')` : `${sql}[1]`;
}

function coded(target: string, found: FoundCode | null): DraftColumn | null {
  if (!found) return null;
  return {
    target,
    kind: 'code',
    sql: found.sql,
    column: found.column,
    from: found.from,
    personal: false,
    codes: found.codes,
    comments: [],
  };
}

/** A range holds both salaries. */
function ranges(place: Place, columns: readonly DraftColumn[]): DraftColumn[] {
  return columns.flatMap((found) => {
    if (found.column?.kind !== 'range') return [];
    if (found.target !== 'min_salary_amount') return [{ ...found, sql: `upper(${found.sql})` }];
    return [
      { ...found, sql: `lower(${found.sql})` },
      { ...found, target: 'max_salary_amount', sql: `upper(${columnSql(place.alias, found.column)})` },
    ];
  });
}

/** Months here, whole years there. */
function months(columns: DraftColumn[]): void {
  const found = columns.find(({ target }) => target === 'min_experience');
  if (
    !found ||
    !/month|bulan|bln/.test(wordsOf(found.column?.name ?? '').join('_')) ||
    found.column?.kind === 'text'
  )
    return;
  replace(columns, {
    ...found,
    sql: `${found.sql} / 12`,
    comments: [...found.comments, 'decide: months here, whole years there'],
  });
}

/** One column with the currency is that of both amounts. */
function currencies(columns: DraftColumn[]): void {
  const has = (target: string) => columns.find((each) => each.target === target);
  const currency = has('min_salary_currency');
  if (currency && has('max_salary_amount') && !has('max_salary_currency'))
    columns.push({ ...currency, target: 'max_salary_currency' });
}

function replace(columns: DraftColumn[], found: DraftColumn): void {
  const at = columns.findIndex(({ target }) => target === found.target);
  if (at < 0) columns.push(found);
  else columns[at] = found;
}

/** Address and coordinates by way of the address that the record names. */
function inPlaces(scope: Scope, place: Place, entity: string, add: (column: DraftColumn) => void): void {
  for (const link of scope.links.filter(
    ({ from, to }) => from.oid === place.table.oid && findStem(wordsOf(to.name), PLACES) >= 0,
  )) {
    const wanted = columnMatches(entity, link.to).filter(
      ({ target, score, column }) =>
        ['address', 'postal_code', 'latitude', 'longitude'].includes(target) &&
        score >= 5 &&
        column.selectable,
    );
    if (wanted.length < 2) continue;
    const there = scope.parent(place, link);
    wanted.forEach((match) => add(ownColumn(scope, there, match)));
  }
}

function fromParent(
  scope: Scope,
  join: () => Place | null,
  entity: string,
  targets: readonly string[],
  { links, chosen, known }: DraftContext,
): readonly DraftColumn[] {
  const table = chosen.get(entity);
  if (!table) return [];
  const matches = columnMatches(entity, table, meaningsOf(table, links));
  return targets.flatMap((target) => {
    const match = matches.find((each) => each.target === target);
    if (target !== 'region_id' && !match) return [];
    const trial = createScope('x', links, known);
    if (target === 'region_id' && findRegion(trial, { table, alias: 'x' }, match) === null) return [];
    const above = join();
    if (!above) return [];
    const found =
      target === 'region_id'
        ? coded(target, findRegion(scope, above, match))
        : match
          ? ownColumn(scope, above, match)
          : null;
    return found
      ? [
          {
            ...found,
            comments: [`decide: ${target} of its ${entity === 'companies' ? 'company' : 'institution'}`],
          },
        ]
      : [];
  });
}

function missing(entity: string, columns: readonly DraftColumn[]): ReadonlySet<string> {
  return new Set(
    (TARGETS[entity] ?? [])
      .map(({ name }) => name)
      .filter((name) => !columns.some(({ target }) => target === name)),
  );
}

/** In the order of the contract, keys first. */
function ordered(entity: string, columns: readonly DraftColumn[]): readonly DraftColumn[] {
  const names = ['key', PARENTS[entity]?.target ?? '', ...(TARGETS[entity] ?? []).map(({ name }) => name)];
  return [...columns].sort((a, b) => names.indexOf(a.target) - names.indexOf(b.target));
}
