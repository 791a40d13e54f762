import type { DeliveryKind } from '../../domain/report.js';
import type { JsonObject } from '../../domain/row.js';
import { operationOf } from '../../entities/index.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/** What is sent: a payload (null: not known any more) or, by its hash, a deletion. */
interface Sent {
  readonly hash: string | null;
  readonly payload: JsonObject | null;
  readonly unacknowledged: boolean;
}

/**
 * What the journal calls a request. A payload that says "closed" closes, whether the source says so or the record
 * vanished. Pure.
 */
export function deliveryKind(
  entity: Pick<ConfiguredEntity, 'put' | 'delete' | 'repeatable' | 'statusField' | 'closedStatus'>,
  { hash, payload, unacknowledged }: Sent,
): DeliveryKind {
  const { statusField, closedStatus } = entity;
  if (operationOf(entity, hash).method === 'DELETE') return 'delete';
  if (statusField !== null && payload?.[statusField] === closedStatus) return 'close';
  return unacknowledged ? 'new' : 'update';
}
