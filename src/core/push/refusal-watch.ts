import type { EntityName } from '../domain/names.js';
import type { PushCounters } from '../domain/outcome.js';
import { type RefusalTally, refusedTooOften, tallyReply } from '../domain/push-counters.js';
import type { Judgement } from '../domain/reply/reply.js';
import type { Tally } from '../ledger/queue/types.js';
import type { EntityState } from '../domain/entity-state.js';
import type { AreaPush } from './area-gate.js';

interface JudgedRecord {
  readonly entity: EntityName;
  readonly key: string;
}

type Verdict = Extract<Judgement, { kind: 'accepted' | 'refused' }>;

export type RefusalWatch = Awaited<ReturnType<typeof createRefusalWatch>>;

const SAMPLE_KEYS = 10;

/** How long the entity states read last stay valid, milliseconds. */
const REFRESH_MS = 5_000;

/**
 * Counts what is decided of an entity: `maxRejectedInARow` refusals before the first acceptance under its mapping hold its
 * push. A 2xx that refuses is taken back when it turns out to be an outage.
 */
export async function createRefusalWatch(
  push: Pick<AreaPush, 'state' | 'settings' | 'lease' | 'entities' | 'clock' | 'emit'>,
) {
  const { state, settings, lease, entities, clock, emit } = push;
  const states = state.entityStates;
  const tallies = new Map<EntityName, RefusalTally>();
  const fingerprints = new Map<EntityName, string | null>();
  const changed = new Set<EntityName>();
  const held = new Set<EntityName>();
  /** Those with a stored hold, which can be lifted. */
  const storedHolds = new Set<EntityName>();
  const samples = new Map<EntityName, string[]>();
  /** Keys of those that a 2xx refused. */
  const failures = new Map<EntityName, string[]>();
  let readAt = clock.monotonic();
  const startWith = (
    entity: EntityName,
    { fingerprint, refusedInARow, acceptedOnce, pushHold }: EntityState,
  ) => {
    fingerprints.set(entity, fingerprint);
    tallies.set(entity, { refusedInARow, acceptedOnce });
    samples.set(entity, []);
    failures.delete(entity);
    changed.delete(entity);
    if (!pushHold) {
      held.delete(entity);
      storedHolds.delete(entity);
    } else if (!held.has(entity)) {
      held.add(entity);
      storedHolds.add(entity);
      emit({ type: 'entity-held', entity, message: pushHold.message, hint: pushHoldHint(entity) });
    }
  };
  for (const { name } of entities) startWith(name, await states.read(name));

  return {
    isHeld: (entity: EntityName) => held.has(entity),

    /** Counts a verdict. */
    async note(record: JudgedRecord, judgement: Verdict) {
      const { entity, key } = record;
      const { kind } = judgement;
      if (kind === 'refused' && judgement.failure)
        failures.set(entity, [...(failures.get(entity) ?? []), key]);
      // Replies to requests from before the hold change nothing.
      if (held.has(entity)) return;
      const before = tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false };
      const after = tallyReply(before, kind);
      if (after === before) return;
      changed.add(entity);
      const isHold = refusedTooOften(after, settings.guards.maxRejectedInARow);
      tallies.set(entity, after);
      const sample = samples.get(entity) ?? [];
      if (kind === 'refused' && sample.length < SAMPLE_KEYS) sample.push(key);
      if (!isHold) return;
      held.add(entity);
      const message = `The platform refused ${after.refusedInARow} records of ${entity} in a row and accepted none under this mapping.`;
      emit({ type: 'entity-held', entity, message, hint: pushHoldHint(entity) });
      const hold = {
        guard: 'max-rejected-in-a-row',
        message,
        refused: after.refusedInARow,
        sampleKeys: sample,
        since: new Date(clock.now()).toISOString(),
      } as const;
      await lease.fenced((fence) => states.holdPush(fence, entity, hold));
      storedHolds.add(entity);
    },

    /** Something was accepted under the mapping of now. */
    isMappingProven: (entity: EntityName) => tallies.get(entity)?.acceptedOnce === true,

    /** At the end of a push that stopped because of them: what a 2xx refused is pending again, and counts no more. */
    async takeBack(counters: ReadonlyMap<EntityName, PushCounters>) {
      for (const [entity, keys] of failures) {
        await state.queue.forgiveAttempts(entity, keys);
        const counted = counters.get(entity);
        if (!counted) continue;
        counted.sent -= keys.length;
        counted.rejected -= keys.length;
      }
    },

    /**
     * Reads what others may have changed since: a sweep under another mapping restarts the count; `approve` or such a
     * sweep lifts a hold. Asks at most every five seconds.
     */
    async refresh() {
      if (clock.monotonic() - readAt < REFRESH_MS) return;
      readAt = clock.monotonic();
      for (const { name } of entities) {
        // The stored count may be older than ours, unless it was restarted.
        const holding = storedHolds.has(name);
        const stored = await states.read(name);
        const lifted = holding && stored.pushHold === null;
        if (lifted || stored.fingerprint !== fingerprints.get(name)) startWith(name, stored);
      }
    },

    /** Tallies that changed since they were last taken. */
    takeChanged(): readonly Tally[] {
      const taken = [...changed].map((entity) => ({
        entity,
        fingerprint: fingerprints.get(entity) ?? null,
        ...(tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false }),
      }));
      changed.clear();
      return taken;
    },
  };
}

function pushHoldHint(entity: EntityName): string {
  return `Nothing more of this entity is sent. See why: placement-sync explain ${entity} KEY. Fix the query or the lookups, or continue: placement-sync approve ${entity}`;
}
