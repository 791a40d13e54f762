import type { CoreState } from '../../core/ledger/core-state.js';
import { composeNotice, noticeTitle, observe } from './compose-notice.js';
import { SyncError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import type { Area } from '../../core/domain/names.js';
import {
  type MemoryOptions,
  nextMemory,
  type Notice,
  type NoticeMemory,
  type Observation,
} from './next-memory.js';
import type { NoticeKind, NoticeWay } from '../../core/domain/notice.js';
import type { Clock } from '../../core/ports/clock.js';
import type { NoticeDelivery, Notifier } from './notifier.js';
import type { NoticeStore } from './notice-store.js';
import { settleAll, untilFirstAbort } from '../../core/runtime/time.js';
import type { ConfiguredEntity } from '../../core/context.js';
import { gatherFacts, type GatherOptions } from '../../core/run/troubles.js';
import type { AreaWatch } from './area-watch.js';
import type { EntityState } from '../../core/domain/entity-state.js';

/**
 * Notices: look at everything, revise what is remembered of each trouble, and send what is due, one way at a time.
 */

interface NoticesOptions {
  readonly state: Pick<CoreState, 'entityStates' | 'runs' | 'records'> & {
    readonly notices: NoticeStore;
    readonly inbox: Required<GatherOptions>['inbox'];
  };
  readonly notifiers: readonly Notifier[];
  readonly watch: AreaWatch;
  /** All configured entities, not only those of this run. */
  readonly entities: readonly Pick<ConfiguredEntity, 'name' | 'onVanished' | 'closedStatus'>[];
  readonly areas: readonly Area[];
  readonly on: readonly NoticeKind[];
  readonly staleAfterMs: number;
  readonly worker: string;
  /** It works on; false: it is a run that ends now. */
  readonly byWorker: boolean;
  /** How texts give a moment, as `Words.when`; absent: in UTC. */
  readonly when?: (at: Date) => string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly newId: () => string;
}

export interface Notices {
  /**
   * Checks everything, and notifies about changes. Never rejects: a failure is a warning in the log, and the next look
   * tries again. Ends soon after the signal aborts. `ending`: aborts when the process is to end, then without a
   * warning; left out: as `signal`.
   */
  look(signal: AbortSignal, ending?: AbortSignal): Promise<void>;
}

/** Notices about troubles, for operators without monitoring: one message per change of state. */
export function createNotices(options: NoticesOptions): Notices {
  const { state, notifiers, areas, watch, clock, emit } = options;
  const entities = options.entities.map(({ name }) => name);

  // Records are not counted, that is too expensive for every look; but for those that the platform took down: an index has them. What is deferred is read only for a stale entity.
  const isStale = ({ lastSuccessAt }: EntityState) =>
    lastSuccessAt !== null && clock.now() - lastSuccessAt.getTime() > options.staleAfterMs;
  const gather = () =>
    gatherFacts(state, {
      now: new Date(clock.now()),
      entities,
      configured: options.entities,
      areas: watch.known(),
      inbox: state.inbox,
      takenDown: state.records,
      staleAfterMs: options.staleAfterMs,
      worker: options.byWorker,
      deferral: async (entity) => (isStale(entity) ? state.records.deferral(entity.entity) : null),
    });

  return {
    async look(signal, ending = signal) {
      try {
        const observations = observe(await gather(), options.when);
        if (signal.aborted) return;
        await state.notices.revise((memories, now) =>
          reviseMemories(memories, observations, {
            now,
            newId: options.newId,
            ways: notifiers.map(({ way }) => way),
            on: options.on,
            subjects: [...entities, ...areas],
          }),
        );
        const store = state.notices;
        await settleAll(
          notifiers.map((notifier) => notifyDue({ ...options, store, notifier, signal, ending })),
        );
      } catch (error) {
        if (ending.aborted) return;
        const known = error instanceof SyncError;
        emit({
          type: 'warning',
          message: `Notices could not be checked: ${known ? error.message : 'unexpected error'}`,
          hint: known ? error.hint : undefined,
        });
      }
    },
  };
}

/** Pauses before the second and the third try of one delivery, milliseconds. */
const PAUSES_MS = [500, 2_000];

interface NotifyOptions extends Pick<NoticesOptions, 'worker' | 'when' | 'clock' | 'emit'> {
  readonly store: NoticeStore;
  readonly notifier: Notifier;
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Aborts when the process is to end: an interrupted delivery is then not a failure. */
  readonly ending: AbortSignal;
}

/**
 * Sends the due messages of one way. A receiver that cannot be reached waits until the next look; one that refuses a
 * message gets the others. Errors: what the state database throws.
 */
async function notifyDue(options: NotifyOptions): Promise<void> {
  const { store, notifier, emit, signal } = options;
  const { way, receiver } = notifier;
  while (!signal.aborted) {
    const memory = await store.takeDue(way);
    if (memory === null) return;
    const notice = composeNotice(memory, options.worker, options.when);
    const delivery = await deliver(notice, options);
    if (delivery.kind === 'delivered') {
      await store.noteSent(memory.noticeId);
      emit({ type: 'notice-sent', way, receiver, title: noticeTitle(notice) });
      continue;
    }
    const { inDoubt, reason, hint } = delivery;
    const givenUp = await store.noteFailure(memory.noticeId, { inDoubt });
    if (options.ending.aborted) return;
    const next = givenUp ? 'It is given up.' : 'It is tried again later.';
    emit({
      type: 'warning',
      message: `A notice did not reach notify.${way} (${receiver}): ${reason} ${next}`,
      hint: `${hint} Test it with: placement-sync notify test`,
    });
    if (delivery.kind === 'failed') return;
  }
}

async function deliver(notice: Notice, { notifier, clock, signal }: NotifyOptions): Promise<NoticeDelivery> {
  let delivery = await notifier.deliver(notice, signal);
  let inDoubt = false;
  for (const pause of PAUSES_MS) {
    if (delivery.kind !== 'failed' || signal.aborted) break;
    inDoubt ||= delivery.inDoubt;
    await clock.sleep(pause, signal);
    if (signal.aborted) break;
    delivery = await notifier.deliver(notice, signal);
  }
  return delivery.kind === 'delivered' ? delivery : { ...delivery, inDoubt: inDoubt || delivery.inDoubt };
}

export interface ReviseOptions extends Omit<MemoryOptions, 'notifiesRecovery'> {
  readonly ways: readonly NoticeWay[];
  readonly on: readonly NoticeKind[];
  /** Names of the configured entities and areas. */
  readonly subjects: readonly string[];
}

/**
 * The memories after a look at everything. Memories of what is no longer configured are dropped; memories without an
 * observation stay as they are.
 */
export function reviseMemories(
  memories: readonly NoticeMemory[],
  observations: readonly Observation[],
  options: ReviseOptions,
): NoticeMemory[] {
  const { ways, on, subjects } = options;
  const notified = observations.filter(({ trouble }) => on.includes(trouble));
  const revised = ways.flatMap((way) =>
    notified.map((observation) => {
      const memory = memories.find((known) => known.way === way && isAbout(known, observation)) ?? null;
      return nextMemory(memory, way, observation, { ...options, notifiesRecovery: on.includes('recovered') });
    }),
  );
  const untouched = memories.filter(
    (memory) =>
      ways.includes(memory.way) &&
      on.includes(memory.trouble) &&
      subjects.includes(memory.subject) &&
      !notified.some((observation) => isAbout(memory, observation)),
  );
  return [...revised.filter((memory) => memory !== null), ...untouched];
}

function isAbout(memory: NoticeMemory, { trouble, subject }: Observation): boolean {
  return memory.trouble === trouble && memory.subject === subject;
}

/** Longest time that notices take at the end of a run, milliseconds. */
const LONGEST_MS = 8_000;

/** Longest time to record an interrupted delivery, milliseconds: the state database may not answer. */
const NOTE_MS = 1_000;

/**
 * One look at everything, for a run that has ended: for some seconds at most, and until the signal aborts. Never
 * rejects.
 */
export async function notifyOnce(
  notices: Notices,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  await untilFirstAbort([signal, over.signal], async (limited) => {
    const late = clock.sleep(LONGEST_MS, limited);
    const looking = notices.look(limited, signal);
    await Promise.race([looking, late]);
    over.abort();
    await Promise.race([looking, clock.sleep(NOTE_MS)]);
  });
}
