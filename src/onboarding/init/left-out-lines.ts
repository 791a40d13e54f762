import type { Catalog } from '../catalog/catalog.js';
import { group } from './refine-query.js';

/** What was not looked at in a database with very many tables, for people. */
export function leftOutLines({
  leftOut = null,
  server,
}: Pick<Catalog, 'leftOut' | 'server'>): readonly string[] {
  if (leftOut === null) return [];
  const schemas = `${leftOut.schemas.join(', ')}${leftOut.more ? ', …' : ''}`;
  return [
    '',
    `The database has very many tables, and ${group(leftOut.tables)} of them were not looked at, because the search path of ${server.role} does not have their schemas (${schemas}). If yours are among them: alter role "${server.role.replaceAll('"', '""')}" set search_path = …`,
  ];
}
