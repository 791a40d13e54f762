import type { VanishedSettings } from '../domain/guard.js';
import { type ShownRate, shownRate } from '../domain/learned-rate.js';
import type { Area, EntityName } from '../domain/names.js';
import type { Deferral, RecordReasons } from '../domain/reason.js';
import { takenDown } from '../domain/reply/reply.js';
import type {
  AreaFacts,
  EntityFacts,
  RefusedWebhooks,
  RunFacts,
  TroubleFacts,
} from '../domain/trouble/trouble.js';
import { entity as entityNamed } from '../entities/index.js';
import type { StatusCounts } from '../ledger/records.js';
import type { AreaState, AreaStates } from '../ledger/queue/area-states.js';
import type { EntityState } from '../domain/entity-state.js';
import type { CoreState } from '../ledger/core-state.js';
import type { ListedRun } from '../ledger/runs.js';

/**
 * Gathers the facts from which troubles are found: of the ledger, of the areas as this process and others saw them, and
 * of the run that is judged. Every place that shows troubles reads them here, so that all show the same list.
 */

/** What was read about an entity; counts only if requested. */
export interface GatheredEntity extends EntityFacts {
  readonly state: EntityState;
  readonly counts: StatusCounts | null;
  /** Vanished records that the platform still shows as open, where `onVanished: report` leaves them so; absent: not read. */
  readonly leftOpen?: number;
}

export interface GatheredFacts extends TroubleFacts {
  readonly entities: readonly GatheredEntity[];
  /** Areas that take less than the setting allows, as far as stored areas are read. */
  readonly learnedRates: readonly LearnedAreaRate[];
}

export interface LearnedAreaRate extends ShownRate {
  readonly area: Area;
}

/** Reads why records need a person's action, at most so many reasons of each kind. */
interface ReasonReading extends Pick<CoreState, 'records'> {
  readonly recordLists: {
    rejectedReasons(entity: EntityName, limit: number): Promise<RecordReasons['rejected']>;
    invalidReasons(entity: EntityName, limit: number): Promise<RecordReasons['invalid']>;
    waitingReasons(entity: EntityName): Promise<RecordReasons['waiting']>;
  };
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
  readonly reasons?: ReasonReading;
  /** Reads what is deferred of an entity, where no counts say that nothing is. Left out: read with the reasons. */
  readonly deferral?: (entity: EntityState) => Promise<Deferral | null>;
  /** What this process has seen of the areas. */
  readonly areas?: readonly AreaFacts[];
  /** Reads what other processes have stored about the areas. Left out: only what this process has seen counts. */
  readonly storedAreas?: AreaStates;
  /** Counts what left the source and is still open, where records are counted. Left out: not counted. */
  readonly leftOpen?: Pick<CoreState['records'], 'leftOpen'>;
  /** Reads which webhooks were refused. Left out: not read. */
  readonly inbox?: { refused(): Promise<RefusedWebhooks | null> };
  /** Reads what was taken down, is rejected or cannot be sent, where records are not counted. Left out: not read. */
  readonly takenDown?: Pick<CoreState['records'], 'takenDown' | 'rejections' | 'unsendable'>;
  readonly idle?: boolean;
  /** Whether a worker looks after the ledger. */
  readonly worker: boolean;
  /** `notify.staleAfter`; left out: staleness is not judged. */
  readonly staleAfterMs?: number;
}

/**
 * Reads the facts from which troubles are found, as many as the caller needs. Every place that shows troubles reads here.
 * Errors: what the state database throws.
 */
export async function gatherFacts(
  state: Pick<CoreState, 'entityStates' | 'runs'>,
  options: GatherOptions,
): Promise<GatheredFacts> {
  const { now, configured = [], areas = [], idle = false, worker, staleAfterMs = null } = options;
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
    const { area, parent, statusField, lastDay } = entityNamed(name);
    const own = await stateOf(name);
    const above = parent && (await stateOf(parent.entity));
    const held = (above?.hold ?? above?.pushHold ?? null) !== null;
    const counts = (await options.counts?.(name)) ?? null;
    const settings = configured.find((each) => each.name === name) ?? null;
    const mayBeOpen =
      settings?.onVanished === 'report' && counts !== null && counts.vanished > counts.expired;
    entities.push({
      name,
      area,
      parent: parent && { entity: parent.entity, held },
      state: own,
      counts,
      ...(options.takenDown
        ? {
            takenDown: await options.takenDown.takenDown(name),
            rejections: await options.takenDown.rejections(name),
            unsendable: await options.takenDown.unsendable(name),
          }
        : {}),
      reasons: options.reasons && counts ? await readReasons(options.reasons, name, counts) : null,
      deferral: counts?.deferred === 0 ? null : await readDeferral(own),
      vanished: settings,
      ...(options.leftOpen && mayBeOpen
        ? {
            leftOpen: await options.leftOpen.leftOpen(
              { name, lastDay, statusField, closedStatus: settings.closedStatus },
              now.toISOString().slice(0, 10),
            ),
          }
        : {}),
    });
  }
  const stored = (await options.storedAreas?.all()) ?? [];
  const used = new Set(entities.map(({ area }) => area));
  const others = stored.filter(({ area }) => used.has(area) && !areas.some((seen) => seen.area === area));
  const learnedRates = stored.flatMap(({ area, learnedRate }) => {
    const shown = used.has(area) && learnedRate !== null ? shownRate(learnedRate) : null;
    return shown === null ? [] : [{ area, ...shown }];
  });
  const read = {
    now,
    entities,
    run,
    areas: [...areas, ...others.map(areaFacts)],
    idle,
    worker,
    staleAfterMs,
    learnedRates,
  };
  return options.inbox ? { ...read, refusedWebhooks: await options.inbox.refused() } : read;
}

/** What the last push stored about its area. */
export function areaFacts({ area, stop, failingSince, pause, retryAt }: AreaState): AreaFacts {
  const refused = stop?.code === 'authentication-refused';
  // A silent area has been silent since the first of its failures, which may be those of an earlier push.
  const since = stop?.code === 'breaker-open' ? (failingSince ?? stop.since) : stop?.since;
  return {
    area,
    stop: stop && {
      ...stop,
      since: since ?? stop.since,
      retryAt: pause?.until ?? retryAt,
      pausedUntil: pause?.until ?? null,
    },
    credentials: refused ? 'refused' : 'unknown',
    refusedCause: refused ? { hint: stop.hint, cause: stop.cause ?? null } : null,
  };
}

/** How many runs are read to find one that has ended; the newest may be running. */
const LOOKED_AT = 5;

/** The last run that ended; null: none has. Errors: what the state database throws. */
export async function lastEndedRun({
  runs,
}: Pick<CoreState, 'runs'>): Promise<(RunFacts & ListedRun) | null> {
  const ended = (await runs.recent(LOOKED_AT)).find(({ finishedAt }) => finishedAt !== null);
  if (!ended) return null;
  // A signal is not a trouble after the run: the next run continues.
  const error = ended.error?.code === 'interrupted' ? null : ended.error;
  return { ...ended, interrupted: false, error };
}

/** How many reasons are shown, and how many records that wait for a parent. */
const REASONS = 10;
const BLOCKED = 3;

/** Why records of an entity need your action. Reads only the statuses that have records. */
export async function readReasons(
  { records, recordLists }: ReasonReading,
  entity: EntityName,
  counts: StatusCounts,
  limit = REASONS,
): Promise<RecordReasons> {
  const { rejected, invalid, blocked } = counts;
  return {
    rejected: rejected <= takenDown(counts) ? [] : await recordLists.rejectedReasons(entity, limit),
    invalid:
      invalid === 0
        ? { codes: [], others: [], onlyCodes: 0 }
        : await recordLists.invalidReasons(entity, limit),
    blocked: blocked === 0 ? [] : await records.blocked(entity, BLOCKED),
    waiting: blocked === 0 ? [] : await recordLists.waitingReasons(entity),
  };
}
