import type { EntityState } from '../domain/entity-state.js';
import type { EntityName } from '../domain/names.js';
import type { PushCounters } from '../domain/outcome.js';
import { type RefusalTally, refusedTooOften, tallyReply } from '../domain/push-counters.js';
import type { Judgement } from '../domain/reply/reply.js';
import type { Tally } from '../ledger/queue/types.js';
import type { PushOptions } from './push-options.js';

interface JudgedRecord {
  readonly entity: EntityName;
  readonly key: string;
}

type Verdict = Extract<Judgement, { kind: 'accepted' | 'refused' }>;

type WatchOptions = Pick<PushOptions, 'state' | 'settings' | 'lease' | 'entities' | 'clock' | 'emit'>;

const SAMPLE_KEYS = 10;

/** How long the entity states read last stay valid, milliseconds. */
const REFRESH_MS = 5_000;

/** What is counted of an entity since its mapping began, or the last hold was lifted. */
interface Watched {
  fingerprint: string | null;
  tally: RefusalTally;
  /** The tally is another one than the stored one. */
  changed: boolean;
  /** `announced`: nothing more is sent. `stored`: it is in the ledger too, and can be lifted there. */
  hold: 'none' | 'announced' | 'stored';
  /** Keys of the first refusals. */
  sample: string[];
  /** Keys of those that a 2xx refused. */
  failures: string[];
}

/**
 * Counts what is decided of an entity: `maxRejectedInARow` refusals before the first acceptance under its mapping hold its
 * push. A 2xx that refuses is taken back when it turns out to be an outage.
 */
export class RefusalWatch {
  readonly #watched = new Map<EntityName, Watched>();
  /** When the entity states were read last; monotonic. */
  #readAt: number;

  private constructor(private readonly push: WatchOptions) {
    this.#readAt = push.clock.monotonic();
  }

  static async open(push: WatchOptions): Promise<RefusalWatch> {
    const watch = new RefusalWatch(push);
    for (const { name } of push.entities)
      watch.#startWith(name, await push.state.entityStates.read(name), 'none');
    return watch;
  }

  isHeld(entity: EntityName): boolean {
    return this.#of(entity).hold !== 'none';
  }

  /** Something was accepted under the mapping of now. */
  isMappingProven(entity: EntityName): boolean {
    return this.#of(entity).tally.acceptedOnce;
  }

  /** Counts a verdict. */
  async note({ entity, key }: JudgedRecord, judgement: Verdict): Promise<void> {
    const watched = this.#of(entity);
    const { kind } = judgement;
    if (kind === 'refused' && judgement.failure) watched.failures.push(key);
    // Replies to requests from before the hold change nothing.
    if (watched.hold !== 'none') return;
    const tally = tallyReply(watched.tally, kind);
    if (tally === watched.tally) return;
    watched.tally = tally;
    watched.changed = true;
    if (kind === 'refused' && watched.sample.length < SAMPLE_KEYS) watched.sample.push(key);
    if (refusedTooOften(tally, this.push.settings.guards.maxRejectedInARow))
      await this.#hold(entity, watched);
  }

  /** At the end of a push that stopped because of them: what a 2xx refused is pending again, and counts no more. */
  async takeBack(counters: ReadonlyMap<EntityName, PushCounters>): Promise<void> {
    for (const [entity, { failures }] of this.#watched) {
      if (failures.length === 0) continue;
      await this.push.state.queue.forgiveAttempts(entity, failures);
      const counted = counters.get(entity);
      if (!counted) continue;
      counted.sent -= failures.length;
      counted.rejected -= failures.length;
    }
  }

  /**
   * Reads what others may have changed since: a sweep under another mapping restarts the count; `approve` or such a
   * sweep lifts a hold. Asks at most every five seconds.
   */
  async refresh(): Promise<void> {
    const { clock, state } = this.push;
    if (clock.monotonic() - this.#readAt < REFRESH_MS) return;
    this.#readAt = clock.monotonic();
    for (const { name } of this.push.entities) {
      const { hold } = this.#of(name);
      const stored = await state.entityStates.read(name);
      // The stored count may be older than ours, unless it was restarted.
      const lifted = hold === 'stored' && stored.pushHold === null;
      const known = this.#of(name);
      if (lifted || stored.fingerprint !== known.fingerprint) this.#startWith(name, stored, known.hold);
    }
  }

  /** Tallies that changed since they were last taken. */
  takeChanged(): readonly Tally[] {
    return [...this.#watched].flatMap(([entity, watched]) => {
      if (!watched.changed) return [];
      watched.changed = false;
      return [{ entity, fingerprint: watched.fingerprint, ...watched.tally }];
    });
  }

  #startWith(entity: EntityName, state: EntityState, before: Watched['hold']): void {
    const { fingerprint, refusedInARow, acceptedOnce, pushHold } = state;
    const tally = { refusedInARow, acceptedOnce };
    const hold = pushHold === null ? 'none' : before === 'none' ? 'stored' : before;
    this.#watched.set(entity, { fingerprint, tally, changed: false, hold, sample: [], failures: [] });
    if (pushHold !== null && before === 'none') this.#announce(entity, pushHold.message);
  }

  async #hold(entity: EntityName, watched: Watched): Promise<void> {
    const { lease, state, clock } = this.push;
    const refused = watched.tally.refusedInARow;
    const message = `The platform refused ${refused} records of ${entity} in a row and accepted none under this mapping.`;
    watched.hold = 'announced';
    this.#announce(entity, message);
    const hold = {
      guard: 'max-rejected-in-a-row',
      message,
      refused,
      sampleKeys: watched.sample,
      since: new Date(clock.now()).toISOString(),
    } as const;
    await lease.fenced((fence) => state.entityStates.holdPush(fence, entity, hold));
    watched.hold = 'stored';
  }

  #announce(entity: EntityName, message: string): void {
    const hint = `Nothing more of this entity is sent. See why: placement-sync explain ${entity} KEY. Fix the query or the lookups, or continue: placement-sync approve ${entity}`;
    this.push.emit({ type: 'entity-held', entity, message, hint });
  }

  #of(entity: EntityName): Watched {
    const watched = this.#watched.get(entity);
    if (watched === undefined) throw new TypeError(`${entity} is not of this push`);
    return watched;
  }
}
