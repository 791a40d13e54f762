import type { EntityName } from '../../domain/names.js';
import { USUAL_CLOSED_STATUS } from '../../domain/guard.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { TakeOver } from '../../ports/queue.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import { deliveryKind } from './delivery-kind.js';

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
