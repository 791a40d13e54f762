import type { EntityName } from '../../domain/entity-name.js';
import type { Emit } from '../../domain/events.js';
import { refusedTooOften, tallyReply, type RefusalTally } from '../../domain/push/refusal-tally.js';
import type { Entity } from '../../entities/entity.js';
import type { Clock } from '../../ports/clock.js';
import type { EntityStates } from '../../ports/entity-states.js';
import type { Tally } from '../../ports/queue.js';

export interface RefusalWatch {
  /** Whether nothing more of the entity may be sent. */
  isHeld(entity: EntityName): boolean;
  note(entity: EntityName, key: string, kind: 'accepted' | 'refused'): Promise<void>;
  /** Tallies that changed since they were last taken. */
  takeChanged(): readonly Tally[];
}

const SAMPLE_KEYS = 10;

/** Holds an entity's push after `maxRejectedInARow` refusals without a single acceptance under its mapping. */
export async function createRefusalWatch(
  states: Pick<EntityStates, 'read' | 'holdPush'>,
  token: bigint,
  entities: readonly Entity[],
  maxRejectedInARow: number,
  clock: Clock,
  emit: Emit,
): Promise<RefusalWatch> {
  const tallies = new Map<EntityName, RefusalTally>();
  const changed = new Set<EntityName>();
  const held = new Set<EntityName>();
  const samples = new Map<EntityName, string[]>();
  for (const { name } of entities) {
    const { refusedInARow, acceptedOnce, pushHold } = await states.read(name);
    tallies.set(name, { refusedInARow, acceptedOnce });
    samples.set(name, []);
    if (pushHold) {
      held.add(name);
      emit({ type: 'entity-held', entity: name, message: pushHold.message, hint: pushHoldHint(name) });
    }
  }

  return {
    isHeld: (entity) => held.has(entity),

    async note(entity, key, kind) {
      const before = tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false };
      const after = tallyReply(before, kind);
      if (after === before) return;
      tallies.set(entity, after);
      changed.add(entity);
      const sample = samples.get(entity) ?? [];
      if (kind === 'refused' && sample.length < SAMPLE_KEYS) sample.push(key);
      if (held.has(entity) || !refusedTooOften(after, maxRejectedInARow)) return;
      held.add(entity);
      const message = `The platform refused ${after.refusedInARow} records of ${entity} in a row and accepted none under this mapping.`;
      emit({ type: 'entity-held', entity, message, hint: pushHoldHint(entity) });
      await states.holdPush(token, entity, {
        guard: 'max-rejected-in-a-row',
        message,
        refused: after.refusedInARow,
        sampleKeys: sample,
        since: new Date(clock.now()).toISOString(),
      });
    },

    takeChanged() {
      const taken = [...changed].map((entity) => ({
        entity,
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
