import { type ConfiguredEntity, type RunContext, timeoutOf } from '../context.js';
import { USUAL_CLOSED_STATUS } from '../domain/guard.js';
import type { EntityName } from '../domain/names.js';
import { entity as entityNamed } from '../entities/index.js';
import type { TakeOver } from '../ledger/queue/types.js';
import type { HeldLease } from '../leases.js';
import { deliveryKind } from './request.js';

/**
 * Ends the claims that other processes left open, of all entities, as an attempt without reply; gives how many. A process
 * that holds the push lease does so before it sends.
 */
export function takeOverClaims(
  { state, entities, settings }: Pick<RunContext, 'state' | 'entities' | 'settings'>,
  { fenced }: Pick<HeldLease, 'fenced'>,
): Promise<number> {
  const options = takingOver(entities, (entity) => timeoutOf(settings, entity));
  return fenced((fence) => state.queue.takeOver(fence, null, options));
}

/** What ending the claims of a dead process needs to know. `entities`: those of this process, which may be some of all. */
export function takingOver(
  entities: readonly ConfiguredEntity[],
  timeoutMs: (entity: EntityName) => number,
): TakeOver {
  const settingsOf = (name: EntityName) =>
    entities.find((entity) => entity.name === name) ?? {
      ...entityNamed(name),
      closedStatus: USUAL_CLOSED_STATUS,
    };
  return { timeoutMs, kindOf: (entity, sent) => deliveryKind(settingsOf(entity), sent) };
}
