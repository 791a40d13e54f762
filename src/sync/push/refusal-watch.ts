import type { EntityName } from '../../domain/entity-name.js';
import type { Emit } from '../../domain/events.js';
import { refusedTooOften, tallyReply, type RefusalTally } from '../../domain/push/refusal-tally.js';
import type { Entity } from '../../entities/entity.js';
import type { Clock } from '../../ports/clock.js';
import type { EntityState, EntityStates } from '../../ports/entity-states.js';
import type { Tally } from '../../ports/queue.js';
import type { HeldLease } from '../lease/hold-lease.js';

export interface RefusalWatch {
  /** Whether nothing more of the entity may be sent. */
  isHeld(entity: EntityName): boolean;
  /** `name`: of `recordName`; it is stored with a hold. */
  note(entity: EntityName, name: string, kind: 'accepted' | 'refused'): Promise<void>;
  /**
   * Looks at what others may have changed since: a sweep under another mapping starts the count anew, and a hold is
   * lifted by `approve` or by such a sweep. Asks at most every five seconds.
   */
  refresh(): Promise<void>;
  /** Tallies that changed since they were last taken. */
  takeChanged(): readonly Tally[];
}

const SAMPLE_KEYS = 10;

/** How long what is known of the entities is relied on, milliseconds. */
const REFRESH_MS = 5_000;

/** Holds an entity's push after `maxRejectedInARow` refusals without a single acceptance under its mapping. */
export async function createRefusalWatch(
  states: Pick<EntityStates, 'read' | 'holdPush'>,
  lease: Pick<HeldLease, 'fenced'>,
  entities: readonly Entity[],
  maxRejectedInARow: number,
  clock: Clock,
  emit: Emit,
): Promise<RefusalWatch> {
  const tallies = new Map<EntityName, RefusalTally>();
  const fingerprints = new Map<EntityName, string | null>();
  const changed = new Set<EntityName>();
  const held = new Set<EntityName>();
  /** Of those, the ones whose hold is stored, so that it can be lifted. */
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
      // Replies to what was under way when it was held have no say any more.
      if (held.has(entity)) return;
      const before = tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false };
      const after = tallyReply(before, kind);
      if (after === before) return;
      tallies.set(entity, after);
      changed.add(entity);
      const sample = samples.get(entity) ?? [];
      if (kind === 'refused' && sample.length < SAMPLE_KEYS) sample.push(name);
      if (!refusedTooOften(after, maxRejectedInARow)) return;
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
        // What is stored of the count may be older than what is known here, unless it was started anew.
        const holding = storedHolds.has(name);
        const state = await states.read(name);
        const lifted = holding && state.pushHold === null;
        if (lifted || state.fingerprint !== fingerprints.get(name)) startWith(name, state);
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
  return `Nothing more of it is sent. See why with: placement-sync explain ${entity} KEY; mend the query or lookups, or go on with: placement-sync approve ${entity}`;
}
