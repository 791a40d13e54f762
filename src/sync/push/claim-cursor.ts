import type { EntityName } from '../../domain/entity-name.js';
import type { Claim, QueuePosition } from '../../ports/queue.js';

/** How long an entity without claimable records is left alone while others have some, milliseconds. */
const RECHECK_MS = 2_000;

/** The same for one that goes before all others. */
const URGENT_RECHECK_MS = 500;

export interface ClaimCursor {
  /**
   * Up to `limit` claims, in the order of the entities. `thorough`: before saying that there is nothing, look at
   * everything from its beginning, which is dear where many records wait.
   */
  next(limit: number, thorough: boolean): Promise<readonly Claim[]>;
}

/**
 * Walks the queue of several entities, parents first; in front of all, those that may not wait (application statuses). It remembers how far it got in each, so that records which
 * cannot be claimed (waiting, deferred) are passed over once and not at every claim; at the end it starts anew.
 */
export function createClaimCursor(
  entities: readonly { readonly name: EntityName; readonly repeatable: boolean }[],
  claim: (entity: EntityName, position: QueuePosition | null, limit: number) => Promise<readonly Claim[]>,
  isHeld: (entity: EntityName) => boolean,
  monotonic: () => number,
): ClaimCursor {
  const inOrder = [...entities].sort((a, b) => Number(a.repeatable) - Number(b.repeatable));
  const positions = new Map<EntityName, QueuePosition | null>();
  const emptyAt = new Map<EntityName, number>();

  const walk = async (limit: number, everything: boolean): Promise<Claim[]> => {
    const claims: Claim[] = [];
    for (const { name: entity, repeatable } of inOrder) {
      if (claims.length >= limit) break;
      if (isHeld(entity)) continue;
      if (
        !everything &&
        monotonic() - (emptyAt.get(entity) ?? -Infinity) < (repeatable ? RECHECK_MS : URGENT_RECHECK_MS)
      )
        continue;
      const found = await claim(entity, positions.get(entity) ?? null, limit - claims.length);
      const last = found.at(-1);
      if (found.length === limit - claims.length && last) {
        positions.set(entity, { unacknowledged: last.unacknowledged, key: last.key });
        emptyAt.delete(entity);
      } else {
        positions.delete(entity);
        emptyAt.set(entity, monotonic());
      }
      claims.push(...found);
    }
    return claims;
  };

  return {
    async next(limit, thorough) {
      const claims = await walk(limit, false);
      if (claims.length > 0 || !thorough) return claims;
      positions.clear();
      return walk(limit, true);
    },
  };
}
