import type { CatalogTable } from '../../catalog/catalog.js';
import { draftable } from '../draftables.js';
import { literal } from '../sql-text.js';
import { type DraftColumn, draftColumn, type DraftQuery } from './draft-query.js';

/**
 * The one parent of all records where the database has no table of parents: a training centre's own catalogue, the vacancies of one
 * firm. Its query is a row of literals, so that the draft is complete and a person writes its name.
 */

const KEY = literal('main');

/** @param name what the database is called, for want of anything better */
export function soleParent(entity: string, name: string): DraftQuery {
  const { alias, entity: definition } = draftable(entity);
  const { one } = definition.noun;
  const finding = `no table lists the ${entity}, so all records below belong to one ${one}: write its name`;
  const column = (target: string, sql: string, comments: readonly string[] = []): DraftColumn =>
    draftColumn({ target, kind: 'key', sql, from: '', comments });
  return {
    entity,
    alias,
    table: { ...ONE_ROW, comment: `a row that is written here, as no table lists the ${entity}` },
    columns: [column('key', KEY), column('name', literal(name), [`decide: ${finding}`])],
    ...{ offers: [], joins: [], conditions: [] },
    findings: [`${finding}.`],
  };
}

/** How a record names it. */
export function soleParentKey(target: string, entity: string): DraftColumn {
  return draftColumn({
    ...{ target, kind: 'key', sql: KEY, from: '' },
    comments: [
      `decide: all belong to the one record of queries/${entity}.sql, as no table lists the ${entity}`,
    ],
  });
}

const ONE_ROW: CatalogTable = {
  oid: -1_000_000,
  schema: '',
  ...{ name: 'one', title: 'one', sqlName: '(values (1))', kind: 'table' },
  comment: null,
  rows: 1,
  exact: true,
  columns: [],
  primaryKey: null,
  ...{ uniqueKeys: [], foreignKeys: [], indexes: [], updateTriggers: [] },
  rowSecurity: { applies: false, policies: [] },
  selectable: true,
};
