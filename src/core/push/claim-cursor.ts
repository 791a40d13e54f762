import type { EntityName } from '../domain/names.js';
import type { Claim, QueuePosition } from '../ledger/queue/types.js';

/** Pause before another look at what had no work or was passed by, while there is other work, milliseconds. */
export const RECHECK_MS = 2_000;

/** The same for entities that go before all others. */
export const URGENT_RECHECK_MS = 500;

interface QueuedEntity {
  readonly name: EntityName;
  readonly repeatable: boolean;
}

interface Claiming {
  readonly entities: readonly QueuedEntity[];
  claim(
    entity: EntityName,
    position: QueuePosition | null,
    limit: number,
    changesOnly: boolean,
  ): Promise<readonly Claim[]>;
  isHeld(entity: EntityName): boolean;
  monotonic(): number;
}

/**
 * Walks the queue of several entities, parents first; those that may not wait (application statuses) go before all. It
 * remembers its position in each, so that it passes records that cannot be claimed (waiting, deferred) once and not at
 * every claim; at the end it starts again. While it walks the new records of an entity, it keeps looking for changes
 * and closings, because they go before new ones.
 */
export class ClaimCursor {
  readonly #urgent: readonly QueuedEntity[];
  readonly #inOrder: readonly QueuedEntity[];
  /** Where the walk of an entity stands; none: at its beginning. */
  readonly #positions = new Map<EntityName, QueuePosition>();
  /** When an entity had no more work; monotonic. */
  readonly #emptyAt = new Map<EntityName, number>();
  /** When an entity had no more changes behind its position; monotonic. */
  readonly #changesAt = new Map<EntityName, number>();

  constructor(private readonly claiming: Claiming) {
    this.#urgent = claiming.entities.filter(({ repeatable }) => !repeatable);
    this.#inOrder = [...this.#urgent, ...claiming.entities.filter(({ repeatable }) => repeatable)];
  }

  /**
   * Up to `limit` claims, in the order of the entities. `thorough`: before reporting no work, look at everything from
   * its beginning, which is expensive where many records wait.
   */
  async next(limit: number, thorough: boolean): Promise<readonly Claim[]> {
    const { claims, whole } = await this.#walk(this.#inOrder, limit, false);
    if (claims.length > 0 || whole || !thorough) return claims;
    this.#positions.clear();
    return (await this.#walk(this.#inOrder, limit, true)).claims;
  }

  /** Up to `limit` claims of the entities that may not wait; asks at most twice a second. */
  async urgent(limit: number): Promise<readonly Claim[]> {
    return (await this.#walk(this.#urgent, limit, false)).claims;
  }

  /** `whole`: every entity that may be sent was looked at from its beginning. */
  async #walk(
    among: readonly QueuedEntity[],
    limit: number,
    everything: boolean,
  ): Promise<{ readonly claims: readonly Claim[]; readonly whole: boolean }> {
    const claims: Claim[] = [];
    let whole = true;
    for (const { name: entity, repeatable } of among) {
      if (claims.length >= limit) break;
      if (this.claiming.isHeld(entity)) continue;
      const pause = repeatable ? RECHECK_MS : URGENT_RECHECK_MS;
      if (!everything && this.#since(this.#emptyAt, entity) < pause) {
        whole = false;
        continue;
      }
      claims.push(...(await this.#overtaking(entity, limit - claims.length)));
      const room = limit - claims.length;
      if (room === 0) break;
      if (this.#positions.has(entity)) whole = false;
      claims.push(...(await this.#goOn(entity, room)));
    }
    return { claims, whole };
  }

  /** Changes that came up behind the position, while it is among new records. */
  async #overtaking(entity: EntityName, limit: number): Promise<readonly Claim[]> {
    const isAmongNew = this.#positions.get(entity)?.unacknowledged === true;
    if (!isAmongNew || this.#since(this.#changesAt, entity) < RECHECK_MS) return [];
    const found = await this.claiming.claim(entity, null, limit, true);
    if (found.length < limit) this.#changesAt.set(entity, this.claiming.monotonic());
    return found;
  }

  async #goOn(entity: EntityName, room: number): Promise<readonly Claim[]> {
    const found = await this.claiming.claim(entity, this.#positions.get(entity) ?? null, room, false);
    const last = found.at(-1);
    if (found.length === room && last) {
      this.#positions.set(entity, { unacknowledged: last.unacknowledged, key: last.key });
      this.#emptyAt.delete(entity);
    } else {
      this.#positions.delete(entity);
      this.#emptyAt.set(entity, this.claiming.monotonic());
    }
    return found;
  }

  #since(times: ReadonlyMap<EntityName, number>, entity: EntityName): number {
    return this.claiming.monotonic() - (times.get(entity) ?? -Infinity);
  }
}
