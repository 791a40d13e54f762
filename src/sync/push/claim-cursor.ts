import type { EntityName } from '../../domain/names.js';
import type { Claim, QueuePosition } from '../../ports/queue.js';

/** Pause before another look at what had no work or was passed by, while there is other work, milliseconds. */
const RECHECK_MS = 2_000;

/** The same for entities that go before all others. */
export const URGENT_RECHECK_MS = 500;

export interface ClaimCursor {
  /**
   * Up to `limit` claims, in the order of the entities. `thorough`: before reporting no work, look at everything from
   * its beginning, which is expensive where many records wait.
   */
  next(limit: number, thorough: boolean): Promise<readonly Claim[]>;
  /** Up to `limit` claims of the entities that may not wait; asks at most twice a second. */
  urgent(limit: number): Promise<readonly Claim[]>;
}

export type ClaimSome = (
  entity: EntityName,
  position: QueuePosition | null,
  limit: number,
  changesOnly: boolean,
) => Promise<readonly Claim[]>;

/**
 * Walks the queue of several entities, parents first; those that may not wait (application statuses) go before all. It
 * remembers its position in each, so that it passes records that cannot be claimed (waiting, deferred) once and not at
 * every claim; at the end it starts again. While it walks the new records of an entity, it keeps looking for changes
 * and closings, because they go before new ones.
 */
export function createClaimCursor(
  entities: readonly { readonly name: EntityName; readonly repeatable: boolean }[],
  claim: ClaimSome,
  isHeld: (entity: EntityName) => boolean,
  monotonic: () => number,
): ClaimCursor {
  const urgent = entities.filter(({ repeatable }) => !repeatable);
  const inOrder = [...urgent, ...entities.filter(({ repeatable }) => repeatable)];
  const positions = new Map<EntityName, QueuePosition | null>();
  const emptyAt = new Map<EntityName, number>();
  const changesAt = new Map<EntityName, number>();
  const since = (times: ReadonlyMap<EntityName, number>, entity: EntityName) =>
    monotonic() - (times.get(entity) ?? -Infinity);

  /** Changes that came up behind the position, while it is among new records. */
  const overtaking = async (entity: EntityName, limit: number): Promise<readonly Claim[]> => {
    if (positions.get(entity)?.unacknowledged !== true || since(changesAt, entity) < RECHECK_MS) return [];
    const found = await claim(entity, null, limit, true);
    if (found.length < limit) changesAt.set(entity, monotonic());
    return found;
  };

  /** `whole`: every entity that may be sent was looked at from its beginning. */
  const walk = async (
    among: typeof inOrder,
    limit: number,
    everything: boolean,
  ): Promise<{ readonly claims: Claim[]; readonly whole: boolean }> => {
    const claims: Claim[] = [];
    let whole = true;
    for (const { name: entity, repeatable } of among) {
      if (claims.length >= limit) break;
      if (isHeld(entity)) continue;
      const pause = repeatable ? RECHECK_MS : URGENT_RECHECK_MS;
      if (!everything && since(emptyAt, entity) < pause) {
        whole = false;
        continue;
      }
      claims.push(...(await overtaking(entity, limit - claims.length)));
      const room = limit - claims.length;
      if (room === 0) break;
      const position = positions.get(entity) ?? null;
      if (position !== null) whole = false;
      const found = await claim(entity, position, room, false);
      const last = found.at(-1);
      if (found.length === room && last) {
        positions.set(entity, { unacknowledged: last.unacknowledged, key: last.key });
        emptyAt.delete(entity);
      } else {
        positions.delete(entity);
        emptyAt.set(entity, monotonic());
      }
      claims.push(...found);
    }
    return { claims, whole };
  };

  return {
    async next(limit, thorough) {
      const { claims, whole } = await walk(inOrder, limit, false);
      if (claims.length > 0 || whole || !thorough) return claims;
      positions.clear();
      return (await walk(inOrder, limit, true)).claims;
    },
    urgent: async (limit) => (await walk(urgent, limit, false)).claims,
  };
}
