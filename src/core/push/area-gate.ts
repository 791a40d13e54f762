import type { OperationName } from '../contract/operation.js';
import {
  type AreaCondition,
  type AreaLimits,
  type AreaStop,
  endCondition,
  endOfReading,
  nextCondition,
  OPEN_AREA,
  othersPass,
} from '../domain/area-condition.js';
import type { Emit } from '../domain/events.js';
import type { LearnedRate } from '../domain/learned-rate.js';
import type { Area, EntityName } from '../domain/names.js';
import type { PushCounters } from '../domain/outcome.js';
import { valueAt } from '../domain/reply/refusal.js';
import { type Judgement, oneLineUpTo, type Reply } from '../domain/reply/reply.js';
import type { Clock } from '../ports/clock.js';
import type { RateLimit } from '../ports/platform.js';
import type { Queue } from '../ledger/queue/queue.js';
import type { CoreState } from '../ledger/core-state.js';
import type { HeldLease } from '../leases.js';
import type { AreaSettings, RunContext, RunSettings } from '../context.js';
import type { Outcome } from '../ledger/queue/types.js';

/**
 * What the replies of one push say about its area and its entities, beyond the single record.
 *
 * The gate (`createAreaGate`) hears every judged reply and says whether requests may go out: a pause that the platform
 * asked for, or a stop. The failure streak remembers the records of a row of transient failures, and gives them their
 * attempts back when the area was to blame. The refusal watch (refusal-watch.ts) hears what is refused of each entity.
 */

/** Whether requests may go to an area now. */
export type AreaGate = ReturnType<typeof createAreaGate>;

/**
 * The area's condition during one push; announces pauses and the stop. `earlierFailures`: the row of transient failures
 * with which the pushes before ended.
 */
export function createAreaGate(
  area: Area,
  limits: AreaLimits,
  clock: Clock,
  emit: Emit,
  earlierFailures = 0,
) {
  let condition: AreaCondition = { ...OPEN_AREA, transientInARow: earlierFailures };
  let passedAt = -Infinity;
  /** How often a 503 to a record asked to slow down. */
  const slowdowns = new Map<string, number>();
  const become = (next: AreaCondition) => {
    if (next.stop && !condition.stop) emit({ type: 'area-stopped', area, ...next.stop });
    condition = next;
  };
  /** Milliseconds still to wait because the platform asked for it; 0: free. */
  const pauseLeft = () => Math.max(0, (condition.pausedUntil ?? -Infinity) - clock.monotonic());

  return {
    /** Takes in one judged reply to an operation; reports the pause or stop that follows from it. */
    note(judgement: Judgement, operation: OperationName) {
      const before = condition;
      if (judgement.kind === 'accepted') passedAt = clock.monotonic();
      become(nextCondition(condition, judgement, limits, clock.monotonic(), operation));
      if (condition.pausedUntil !== before.pausedUntil) {
        emit({ type: 'area-paused', area, delayMs: pauseLeft(), message: 'the platform asked to wait' });
      }
    },
    pauseLeft,
    /** Why nothing more is sent in this push; null: go on. */
    stop: (): AreaStop | null => condition.stop,
    /** Why this push would stop the area if it ended now; null: it would not. */
    wouldStop: () => endCondition(condition, earlierFailures).stop,
    /** After failures in a row: requests may go out again, and one more failure stops the area again. */
    reopen: () => become({ ...condition, stop: null }),
    condition: () => condition,
    /** Stops the area for a reason that no single reply shows. */
    halt: (stop: AreaStop) => become({ ...condition, stop: condition.stop ?? stop }),
    /** Whether a 2xx that says failure is about its record. */
    othersPass: (operation: OperationName) => othersPass(condition, operation),
    /** Whether a 503 to this record asks to slow down: others pass, and it is not always the same one. */
    slowsDown(record: string): boolean {
      const times = slowdowns.get(record) ?? 0;
      if (clock.monotonic() - passedAt > LATELY_MS || times >= MOST_SLOWDOWNS) return false;
      slowdowns.set(record, times + 1);
      return true;
    },
    /** Ends reading back: it stops the area if no reply to an operation was understood. */
    endReading: () => become(endOfReading(condition)),
    /** Ends the push: without an answer the area stops. Gives what the push learned. */
    end() {
      become(endCondition(condition, earlierFailures));
      return condition;
    },
  };
}

/** A 503 so soon after an acceptance is about the rate; later it is an outage, milliseconds. */
const LATELY_MS = 5_000;
/** A record that meets more of them in a push is to blame itself. */
const MOST_SLOWDOWNS = 3;

/** What was learned is stored this often at most, unless a request was refused, milliseconds. */
const KEEP_MS = 10_000;

/**
 * Keeps what the push's rate limit learns, so that the next push begins with it, and everybody sees it meanwhile. `before`:
 * what was stored.
 */
export function createRateKeeper(
  { area, rateLimit, state, lease, clock }: AreaPush,
  before: LearnedRate | null,
) {
  const { learning } = rateLimit;
  learning?.resume(before);
  let kept = before;
  let keptAt = clock.monotonic();
  const save = async (learned: LearnedRate | null): Promise<void> => {
    if (learning === undefined || learned === kept) return;
    kept = learned;
    keptAt = clock.monotonic();
    await lease.fenced((fence) => state.areaStates.saveLearnedRate(fence, area, learned));
  };
  return {
    /** Stores it when it is time to. */
    async keep() {
      const learned = learning?.learned() ?? null;
      const isNews = learned === null || learned.limitedAt !== kept?.limitedAt;
      if (isNews || clock.monotonic() - keptAt >= KEEP_MS) await save(learned);
    },
    /** At the end of the push. */
    keepLast: () => save(learning?.learned() ?? null),
  };
}

/** Longest name of a version that is kept, characters. */
const LONGEST_VERSION = 60;

/**
 * What version of itself the platform names in its replies (`meta.version`). Another one than before is reported, once in a
 * push also where two answer in turn, and kept, so that no later process reports it again.
 */
export function createVersionWatch({ area, state, lease, emit }: AreaPush, before: string | null) {
  let kept = before;
  let latest = before;
  const reported = new Set([before]);
  return {
    note(reply: Reply): void {
      const named = reply.kind === 'answered' ? valueAt(reply.json, 'meta.version') : undefined;
      if (typeof named !== 'string' && typeof named !== 'number') return;
      const version = oneLineUpTo(LONGEST_VERSION, String(named));
      if (version === '' || version === latest) return;
      if (latest !== null && !reported.has(version) && reported.size <= MOST_VERSIONS)
        emit({ type: 'platform-version', area, version, before: latest });
      reported.add(version);
      latest = version;
    },
    /** Stores it if it is another one. */
    async keep(): Promise<void> {
      if (latest === null || latest === kept) return;
      const version = (kept = latest);
      await lease.fenced((fence) => state.areaStates.savePlatformVersion(fence, area, version));
    },
  };
}

/** A platform that names another version with each reply is reported so often in a push. */
const MOST_VERSIONS = 5;

export interface AreaPush extends Pick<
  RunContext,
  'entities' | 'platform' | 'clock' | 'emit' | 'signal' | 'random' | 'newId'
> {
  readonly area: Area;
  readonly areaSettings: AreaSettings;
  readonly settings: Pick<RunSettings, 'retry' | 'guards' | 'platform'>;
  readonly state: Pick<CoreState, 'queue' | 'entityStates' | 'areaStates' | 'resendRequests'>;
  readonly rateLimit: RateLimit;
  /** Of the push. */
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
  /** The run that sends; null: the worker. */
  readonly runId: string | null;
  /** Updated record by record, so that the counts are right however the push ends. */
  readonly counters: ReadonlyMap<EntityName, PushCounters>;
  /** One request only: does a stopped area answer again? One failure stops it again. */
  readonly probe?: boolean;
  /** How long after its beginning the push tries again what is deferred, milliseconds. Default 0: not at all. */
  readonly runForMs?: number;
}

interface FailedRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** It used up an attempt. */
  readonly counted: boolean;
  /** The area has answered others since it failed before. */
  readonly alone: boolean;
  /** The record's last attempt, so it counted as rejected. */
  readonly exhausted: boolean;
}

/** How often a record has failed in the current row, and how often that used up an attempt. */
export interface EarlierFailures {
  readonly failures: number;
  readonly counted: number;
}

/** Records of the current row of transient failures. */
export type FailureStreak = ReturnType<typeof createFailureStreak>;

export function createFailureStreak() {
  let records: FailedRecord[] = [];

  return {
    /** `alone`: of the claim, `failsAlone`. */
    note(outcome: Outcome, alone: boolean) {
      if (outcome.kind !== 'deferred') return;
      const { entity, key, counts: counted, exhausted } = outcome;
      records.push({ entity, key, counted, alone, exhausted });
    },
    /** The failures of a record in this row: since then the area has given no verdict. */
    of({ entity, key }: Pick<FailedRecord, 'entity' | 'key'>): EarlierFailures {
      const own = records.filter((record) => record.entity === entity && record.key === key);
      return { failures: own.length, counted: own.filter(({ counted }) => counted).length };
    },
    /** A verdict of the platform ended the row. */
    end() {
      records = [];
    },
    /**
     * The failures were the area's and not their records': each gets its attempt back, and one that had used up its
     * last is deferred again instead of rejected, in the ledger and in `counters`. `all`: also records that failed alone
     * before, because so many failed in a row.
     */
    async forgive(
      queue: Pick<Queue, 'forgiveAttempts'>,
      counters: ReadonlyMap<EntityName, PushCounters>,
      { all }: { readonly all: boolean },
    ) {
      const forgiven = records.filter(({ counted, alone }) => counted && (all || !alone));
      for (const entity of new Set(forgiven.map((record) => record.entity))) {
        const failed = forgiven.filter((record) => record.entity === entity);
        await queue.forgiveAttempts(
          entity,
          failed.map(({ key }) => key),
        );
        const counted = counters.get(entity);
        const exhausted = failed.filter((record) => record.exhausted).length;
        if (!counted) continue;
        counted.rejected -= exhausted;
        counted.deferred += exhausted;
      }
    },
  };
}
