import type { EntityName } from '../entity-name.js';

/** `1 company`, `2,040 vacancies`. Pure. */
export function countedRecords(count: number, entity: EntityName): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular(entity) : entity}`;
}

function singular(entity: EntityName): string {
  if (entity.endsWith('ies')) return `${entity.slice(0, -3)}y`;
  return entity.endsWith('ses') ? entity.slice(0, -2) : entity.replace(/s$/, '');
}
