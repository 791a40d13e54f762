import type { Entity } from '../entities/entity.js';
import { queryColumns } from '../entities/columns.js';
import { valueAt } from './value-at.js';

/** The columns that a row must fill, by the contract and by the configuration. */
export function requiredColumns(entity: Entity, data: unknown) {
  const configured = valueAt(data, ['entities', entity.name, 'required']);
  const names = Array.isArray(configured) ? configured.map(String) : null;
  return queryColumns(entity, names).filter(({ required }) => required === true);
}
