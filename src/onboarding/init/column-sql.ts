import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';

/** Stands for the alias in the SQL of what is part of a column; no name in Postgres can contain it. */
export const ALIAS = '\u0000';

/** SQL of a column under an alias: `v.title`, or of a part of it, `(v.title ->> 'id_ID')`. */
export function columnSql(alias: string, { sqlName }: Pick<CatalogColumn, 'sqlName'>): string {
  return sqlName.includes(ALIAS) ? sqlName.replaceAll(ALIAS, alias) : `${alias}.${sqlName}`;
}

/** A table for people: its name, or of what is no table what it holds. */
export function tableTitle({ sqlName, title, comment, name }: CatalogTable): string {
  return sqlName.startsWith('(') ? (comment ?? name) : title;
}
