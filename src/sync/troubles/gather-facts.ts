import type { EntityName } from '../../domain/entity-name.js';
import type { VanishedSettings } from '../../domain/guard/vanished-policy.js';
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
  /** The settings of the entities; left out: what an approval does to vanished records is not known. */
  readonly configured?: readonly ({ readonly name: EntityName } & VanishedSettings)[];
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
  const { now, configured = [], areas = [], hours = [], idle = false, staleAfterMs = null } = options;
  const run = options.run ?? (await lastEndedRun(state));
  const states = new Map<EntityName, EntityState>();
  const stateOf = async (name: EntityName) => {
    const found = states.get(name) ?? (await state.entityStates.read(name));
    states.set(name, found);
    return found;
  };
  const entities: GatheredEntity[] = [];
  // One reading at a time: the state database may give this process a single connection.
  for (const name of options.entities) {
    const { area, parent } = entityNamed(name);
    const above = parent && (await stateOf(parent.entity));
    const held = (above?.hold ?? above?.pushHold ?? null) !== null;
    const counts = (await options.counts?.(name)) ?? null;
    entities.push({
      name,
      area,
      parent: parent && { entity: parent.entity, held },
      state: await stateOf(name),
      counts,
      reasons: options.reasons && counts ? await readReasons(options.reasons, name, counts) : null,
      vanished: configured.find((each) => each.name === name) ?? null,
    });
  }
  const silent = silentAreas(hours, now, (name) => entityNamed(name).area);
  return { now, entities, run, areas, silent, idle, staleAfterMs };
}
