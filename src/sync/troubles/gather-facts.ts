import type { EntityName } from '../../domain/entity-name.js';
import { silentAreas, type AnsweredHour } from '../../domain/trouble/silent-areas.js';
import type { AreaFacts, EntityFacts, RunFacts, TroubleFacts } from '../../domain/trouble/trouble-facts.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { EntityState } from '../../ports/entity-states.js';
import type { StatusCounts } from '../../ports/records.js';
import type { State } from '../../ports/state.js';
import { lastEndedRun } from './last-ended-run.js';
import { readReasons } from './read-reasons.js';

/** What was read about an entity; counts only if requested. */
export interface GatheredEntity extends EntityFacts {
  readonly state: EntityState;
  readonly counts: StatusCounts | null;
}

export interface GatheredFacts extends TroubleFacts {
  readonly entities: readonly GatheredEntity[];
}

export interface GatherOptions {
  readonly now: Date;
  readonly entities: readonly EntityName[];
  /** The run that is judged; left out: the last one that ended. */
  readonly run?: RunFacts;
  /** Counts the records of an entity: expensive when many are unsettled. Left out: they are not counted. */
  readonly counts?: (entity: EntityName) => Promise<StatusCounts>;
  /** Reads why records need your action; left out: only their numbers are known. */
  readonly reasons?: Pick<State, 'records' | 'recordLists'>;
  /** What this process has seen of the areas. */
  readonly areas?: readonly AreaFacts[];
  /** What the platform answered in the last hours. */
  readonly hours?: readonly AnsweredHour[];
  readonly idle?: boolean;
  /** `notify.staleAfter`; left out: staleness is not judged. */
  readonly staleAfterMs?: number;
}

/**
 * Reads the facts from which troubles are found, as many as the caller needs. Every place that shows troubles reads here.
 * Errors: what the state database throws.
 */
export async function gatherFacts(
  state: Pick<State, 'entityStates' | 'runs'>,
  options: GatherOptions,
): Promise<GatheredFacts> {
  const { now, areas = [], hours = [], idle = false, staleAfterMs = null } = options;
  const run = options.run ?? (await lastEndedRun(state));
  const states = new Map<EntityName, Promise<EntityState>>();
  const stateOf = (name: EntityName) => {
    const reading = states.get(name) ?? state.entityStates.read(name);
    states.set(name, reading);
    return reading;
  };
  const read = async (name: EntityName): Promise<GatheredEntity> => {
    const { area, parent } = entityNamed(name);
    const [own, counts = null, above] = await Promise.all([
      stateOf(name),
      options.counts?.(name),
      parent && stateOf(parent.entity),
    ]);
    const held = (above?.hold ?? above?.pushHold ?? null) !== null;
    return {
      name,
      area,
      parent: parent && { entity: parent.entity, held },
      state: own,
      counts,
      reasons: null,
    };
  };
  const entities = await Promise.all(options.entities.map(read));
  if (options.reasons) {
    // One after the other: each reads many records.
    for (const [index, entity] of entities.entries()) {
      if (entity.counts === null) continue;
      entities[index] = {
        ...entity,
        reasons: await readReasons(options.reasons, entity.name, entity.counts),
      };
    }
  }
  const silent = silentAreas(hours, now, (name) => entityNamed(name).area);
  return { now, entities, run, areas, silent, idle, staleAfterMs };
}
