import type { EntityName } from '../domain/names.js';
import type { Queue } from '../ledger/queue/queue.js';
import type { Claim } from '../ledger/queue/types.js';
import { ClaimCursor } from './claim-cursor.js';
import type { PushOptions } from './push-options.js';

type ClaimOptions = Parameters<Queue['claim']>[0];

/** What a push claims: the records of its area, in an order, within the settings of their entities. */
export class AreaClaims {
  /**
   * Entities whose policy is to delete: only then the configuration has checked the operation. A delete desired under an
   * earlier policy waits for the sweep that judges it again.
   */
  readonly #deleting: ReadonlySet<EntityName>;
  /** Entities that wait until their parents have settled, and how long. */
  readonly #settling: ReadonlyMap<EntityName, number>;
  readonly #cursor: ClaimCursor;
  /** The database's time at the first claim: the clock of this process may be off. Null: nothing was claimed. */
  #since: string | null = null;
  /**
   * A probe begins with records that have not failed (`untried`): a single one that always fails must not keep the area
   * stopped. Then it takes the one whose attempt is the longest ago (`oldest`).
   */
  #order: 'queue' | 'untried' | 'oldest';

  constructor(
    private readonly push: PushOptions,
    private readonly isHeld: (entity: EntityName) => boolean,
  ) {
    const { entities } = push;
    this.#deleting = new Set(
      entities.filter(({ onVanished }) => onVanished === 'delete').map(({ name }) => name),
    );
    this.#settling = new Map(
      entities.flatMap(({ name, parentSettleMs = 0 }) =>
        parentSettleMs > 0 ? [[name, parentSettleMs]] : [],
      ),
    );
    this.#order = push.probe === true ? 'untried' : 'queue';
    this.#cursor = new ClaimCursor({
      entities,
      isHeld,
      monotonic: () => push.clock.monotonic(),
      claim: (entity, position, limit, changesOnly) =>
        this.#claim(entity, {
          position,
          changesOnly,
          limit,
          untried: this.#order === 'untried',
          oldestFirst: this.#order === 'oldest',
        }),
    });
  }

  /** As `ClaimCursor.next`; a probe that finds nothing untried looks at the others too. */
  async next(limit: number, thorough: boolean): Promise<readonly Claim[]> {
    const claims = await this.#cursor.next(limit, thorough);
    if (claims.length > 0 || this.#order !== 'untried') return claims;
    this.#order = 'oldest';
    return this.#cursor.next(limit, thorough);
  }

  urgent(limit: number): Promise<readonly Claim[]> {
    return this.#cursor.urgent(limit);
  }

  /**
   * The record that tries a stopped area: one that has not failed, else the one whose attempt is the longest ago, due or
   * not, so that a record that always fails is not the only one that is tried.
   */
  async trial(): Promise<Claim | undefined> {
    const one = { position: null, limit: 1 };
    const names = this.#names();
    for (const name of names) {
      const [found] = await this.#claim(name, { ...one, untried: true });
      if (found) return found;
    }
    for (const name of await this.push.state.queue.leastRecentlyTried(names)) {
      const [found] = await this.#claim(name, { ...one, evenDeferred: true });
      if (found) return found;
    }
    return undefined;
  }

  /** The record of a claim that has ended, with what is desired of it now; undefined: it cannot be claimed. */
  async again({ entity, key }: Claim): Promise<Claim | undefined> {
    const [claim] = await this.#claim(entity, { position: null, limit: 1, key, evenDeferred: true });
    return claim;
  }

  /** Milliseconds until the next record that this push has deferred is due; null: there is none. */
  async nextDeferredIn(): Promise<number | null> {
    return this.#since === null ? null : this.push.state.queue.nextAttemptIn(this.#names(), this.#since);
  }

  /** Milliseconds until the first record whose parent was accepted a moment ago is due; null: there is none. */
  async nextSettledIn(): Promise<number | null> {
    const due = [];
    for (const [name, settleMs] of this.#settling)
      if (!this.isHeld(name)) due.push(await this.push.state.queue.nextSettledIn(name, settleMs));
    const waits = due.filter((ms) => ms !== null);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  #names(): EntityName[] {
    return this.push.entities.map(({ name }) => name).filter((name) => !this.isHeld(name));
  }

  /** One claim is made at a time. */
  async #claim(
    entity: EntityName,
    what: Omit<ClaimOptions, 'fence' | 'entity' | 'deletions' | 'since'>,
  ): Promise<readonly Claim[]> {
    const { lease, state } = this.push;
    const of = {
      entity,
      deletions: this.#deleting.has(entity),
      since: this.#since,
      parentSettleMs: this.#settling.get(entity) ?? 0,
    };
    const claims = await lease.fenced((fence) => state.queue.claim({ fence, ...of, ...what }));
    this.#since ??= claims[0]?.claimedAt ?? null;
    return claims;
  }
}
