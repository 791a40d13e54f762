import type { EntityName } from '../../domain/names.js';
import { type RefusalTally, refusedTooOften, tallyReply } from '../../domain/push-counters.js';
import type { EntityState } from '../../ports/entity-states.js';
import type { Tally } from '../../ports/queue.js';
import type { AreaPush } from './area-push.js';

export interface RefusalWatch {
  /** Whether nothing more of the entity may be sent. */
  isHeld(entity: EntityName): boolean;
  /** `name`: of `recordName`; it is stored with a hold. */
  note(entity: EntityName, name: string, kind: 'accepted' | 'refused'): Promise<void>;
  /**
   * Reads what others may have changed since: a sweep under another mapping restarts the count; `approve` or such a
   * sweep lifts a hold. Asks at most every five seconds.
   */
  refresh(): Promise<void>;
  /** Tallies that changed since they were last taken. */
  takeChanged(): readonly Tally[];
}

const SAMPLE_KEYS = 10;

/** How long the entity states read last stay valid, milliseconds. */
const REFRESH_MS = 5_000;

/** Holds an entity's push after `maxRejectedInARow` refusals without a single acceptance under its mapping. */
export async function createRefusalWatch({
  state,
  settings,
  lease,
  entities,
  clock,
  emit,
}: Pick<AreaPush, 'state' | 'settings' | 'lease' | 'entities' | 'clock' | 'emit'>): Promise<RefusalWatch> {
  const states = state.entityStates;
  const tallies = new Map<EntityName, RefusalTally>();
  const fingerprints = new Map<EntityName, string | null>();
  const changed = new Set<EntityName>();
  const held = new Set<EntityName>();
  /** Those with a stored hold, which can be lifted. */
  const storedHolds = new Set<EntityName>();
  const samples = new Map<EntityName, string[]>();
  let readAt = clock.monotonic();
  const startWith = (
    entity: EntityName,
    { fingerprint, refusedInARow, acceptedOnce, pushHold }: EntityState,
  ) => {
    fingerprints.set(entity, fingerprint);
    tallies.set(entity, { refusedInARow, acceptedOnce });
    samples.set(entity, []);
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
    isHeld: (entity) => held.has(entity),

    async note(entity, name, kind) {
      // Replies to requests from before the hold change nothing.
      if (held.has(entity)) return;
      const before = tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false };
      const after = tallyReply(before, kind);
      if (after === before) return;
      tallies.set(entity, after);
      changed.add(entity);
      const sample = samples.get(entity) ?? [];
      if (kind === 'refused' && sample.length < SAMPLE_KEYS) sample.push(name);
      if (!refusedTooOften(after, settings.guards.maxRejectedInARow)) return;
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

    takeChanged() {
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
