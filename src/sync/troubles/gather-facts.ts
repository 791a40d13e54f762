import type { EntityName } from '../../domain/names.js';
import type { VanishedSettings } from '../../domain/guard.js';
import type { AreaFacts, EntityFacts, RunFacts, TroubleFacts } from '../../domain/trouble/trouble.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { Deferral } from '../../domain/reason.js';
import type { AreaStates } from '../../ports/area-states.js';
import type { EntityState } from '../../ports/entity-states.js';
import type { StatusCounts } from '../../ports/records.js';
import type { State } from '../../ports/state.js';
import { lastEndedRun } from './last-ended-run.js';
import { readReasons } from './read-reasons.js';
import { areaFacts } from './area-facts.js';

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
  /** Reads what is deferred of an entity, where no counts say that nothing is. Left out: read with the reasons. */
  readonly deferral?: (entity: EntityState) => Promise<Deferral | null>;
  /** What this process has seen of the areas. */
  readonly areas?: readonly AreaFacts[];
  /** Reads what other processes have stored about the areas. Left out: only what this process has seen counts. */
  readonly storedAreas?: AreaStates;
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
  const { now, configured = [], areas = [], idle = false, staleAfterMs = null } = options;
  const run = options.run ?? (await lastEndedRun(state));
  const states = new Map<EntityName, EntityState>();
  const stateOf = async (name: EntityName) => {
    const found = states.get(name) ?? (await state.entityStates.read(name));
    states.set(name, found);
    return found;
  };
  const {
    deferral: readDeferral = async ({ entity }) => (await options.reasons?.records.deferral(entity)) ?? null,
  } = options;
  const entities: GatheredEntity[] = [];
  // One reading at a time: the state database may give this process a single connection.
  for (const name of options.entities) {
    const { area, parent } = entityNamed(name);
    const own = await stateOf(name);
    const above = parent && (await stateOf(parent.entity));
    const held = (above?.hold ?? above?.pushHold ?? null) !== null;
    const counts = (await options.counts?.(name)) ?? null;
    entities.push({
      name,
      area,
      parent: parent && { entity: parent.entity, held },
      state: own,
      counts,
      reasons: options.reasons && counts ? await readReasons(options.reasons, name, counts) : null,
      deferral: counts?.deferred === 0 ? null : await readDeferral(own),
      vanished: configured.find((each) => each.name === name) ?? null,
    });
  }
  const stored = (await options.storedAreas?.all()) ?? [];
  const used = new Set(entities.map(({ area }) => area));
  const others = stored.filter(({ area }) => used.has(area) && !areas.some((seen) => seen.area === area));
  return { now, entities, run, areas: [...areas, ...others.map(areaFacts)], idle, staleAfterMs };
}
