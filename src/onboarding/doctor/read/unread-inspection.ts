import type { DoctorEntity } from '../doctor-entity.js';
import type { EntityInspection } from '../facts.js';
import { unknown, type Learned } from '../learned.js';
import { queryShape } from '../sql/query-shape.js';

/** What is known of a query that was not read: its text, and for everything else the cause, if there is one. Pure. */
export function unreadInspection(entity: DoctorEntity, source: Learned<unknown>): EntityInspection {
  const fact = 'cause' in source ? source : unknown('it was not read');
  return {
    entity,
    shape: queryShape(entity.query.sql),
    columns: fact,
    plan: fact,
    flags: fact,
    losses: fact,
    day: fact,
    zones: fact,
    stable: fact,
  };
}
