import type { EntityName } from '../../../src/core/domain/names.js';
import type { LearnedRate, RateNews } from '../../../src/core/domain/learned-rate.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import type { PushCounters } from '../../../src/core/domain/outcome.js';
import type { Answer, Reply } from '../../../src/core/domain/reply/reply.js';
import { entity } from '../../../src/core/entities/index.js';
import type { AreaState } from '../../../src/core/ledger/queue/area-states.js';
import { ABSENT_ENTITY_STATE, type EntityState } from '../../../src/core/domain/entity-state.js';
import type { Fence } from '../../../src/core/ports/clock.js';
import type { Place } from '../../../src/core/ports/platform.js';
import type { ConfiguredEntity, RunContext } from '../../../src/core/context.js';
import type { PushOptions } from '../../../src/core/push/push-options.js';
import { pushArea } from '../../../src/core/push/area-push.js';
import { pushLoop } from '../../../src/core/push/push-loop.js';
import type { HeldLease } from '../../../src/core/leases.js';
import type { WakeableSleep } from '../../../src/core/runtime/time.js';
import { notEndless, noWait, wokenAtOnce } from '../../fake-time.js';
import type { Claim, Outcome } from '../../../src/core/ledger/queue/types.js';

/** What a test decides of the world around one push; everything else is as it is in a quiet run. */
export interface PushFixture {
  /** Keys that can be claimed, in order. */
  readonly due: string[];
  /** The same of application statuses. */
  readonly statusesDue: string[];
  /** Moves by itself only in `sleep`. */
  now: number;
  reply: (key: string) => Promise<Reply> | Reply;
  record: (outcomes: readonly Outcome[]) => Promise<void>;
  holdPush: () => Promise<void>;
  leaseHeld: boolean;
  /** Called when an attempt has its place, before it looks at the world. `urgent`: it took the next place. */
  beforePlace: (urgent: boolean) => Promise<void> | void;
  attempts: number;
  readonly settings: {
    maxAttempts: number;
    breakerAfter: number;
    maxRejectedInARow: number;
    maxSameRefusals: number;
  };
  readonly areaSettings: { ratePerSecond: number | null; concurrency: number; timeoutMs: number };
  /** What happened. */
  readonly sent: string[];
  /** Attempts whose place knows when their request left. */
  timed: number;
  readonly written: Outcome[];
  readonly forgiven: string[];
  /** The key of a company that was accepted before, and can be put again unchanged; null: there is none. */
  control: string | null;
  /** Entities of which something was accepted before. */
  readonly acceptedBefore: EntityName[];
  /** Entities whose success was noted, in order. */
  readonly noted: EntityName[];
  /** Entities of which everything blameless was made due. */
  readonly retried: string[];
  /** What is known of each entity. */
  state: EntityState;
  /** What earlier pushes stored about the area. */
  stored: AreaState | null;
  /** What the rate limit was told of replies. */
  readonly news: RateNews[];
  /** What it has learned. */
  learned: LearnedRate | null;
  /** What was stored of that, in order. */
  readonly learnedRates: (LearnedRate | null)[];
  readonly events: SyncEvent[];
  readonly counters: PushCounters;
  readonly abort: AbortController;
  push(): ReturnType<typeof pushArea>;
  /** What `push` pushes with. */
  options(): PushOptions;
  /** Pushes companies as `start` does, until `abort`. */
  loop(options?: LoopOptions): Promise<void>;
}

/** Only what the test is about. */
export interface LoopOptions {
  /** What is left in the ledger whenever the loop looks; default nothing. */
  readonly left?: { readonly pending?: number; readonly deferred?: number };
  readonly retry?: Partial<RunContext['settings']['retry']>;
  readonly concurrency?: number;
  readonly random?: number;
  /** The waits of the loop; each is woken at once by default. */
  readonly idle?: WakeableSleep;
  readonly stopped?: WakeableSleep;
  readonly silent?: WakeableSleep;
}

export function accepted(key: string): Reply {
  return answered(200, { id: `id-${key}`, reference: `reference-${key}` });
}

/** What a firewall or a gateway answers in place of the platform. */
export function page(status: number, title = 'Forbidden'): Reply {
  const text = `<html><title>${title}</title></html>`;
  return { ...(answered(status) as Answer), json: undefined, html: true, text };
}

export function refusedWith(status: number, message: string): Reply {
  return { ...(answered(status) as Answer), json: { message } };
}

/** A 200 whose body says that it failed. */
export function failure(message: string): Reply {
  const hint = 'A rule says what it means.';
  return {
    ...(refusedWith(200, message) as Answer),
    saysFailure: true,
    malformed: `it failed: ${message}`,
    hint,
  };
}

export function answered(status: number, result: { id: string; reference: string } | null = null): Reply {
  return {
    kind: 'answered',
    status,
    result,
    malformed: null,
    json: { message: `status ${status}` },
    html: false,
    retryAfter: null,
    date: null,
    location: null,
    receivedAt: 0,
  };
}

export const FENCE: Fence = { token: 7n, nonce: '7d1f7f0e-2d9c-4a49-9a55-0c6f0f3a3a11' };

/** One area with companies and application statuses, no rate, and queues that are lists. */
export function pushFixture(keys: readonly string[]): PushFixture {
  const counters: PushCounters = { sent: 0, accepted: 0, rejected: 0, deferred: 0 };
  const fixture: PushFixture = {
    due: [...keys],
    statusesDue: [],
    now: 0,
    reply: accepted,
    record: () => Promise.resolve(),
    holdPush: () => Promise.resolve(),
    leaseHeld: true,
    beforePlace: () => {},
    attempts: 0,
    settings: { maxAttempts: 10, breakerAfter: 10, maxRejectedInARow: 50, maxSameRefusals: 1_000 },
    areaSettings: { ratePerSecond: 1, concurrency: 4, timeoutMs: 1_000 },
    sent: [],
    timed: 0,
    written: [],
    forgiven: [],
    control: null,
    acceptedBefore: [],
    noted: [],
    retried: [],
    state: NOTHING_KNOWN,
    stored: null,
    news: [],
    learned: null,
    learnedRates: [],
    events: [],
    counters,
    abort: new AbortController(),
    push: () => pushArea(optionsOf(fixture)),
    options: () => optionsOf(fixture),
    loop: (options) => loopOf(fixture, options),
  };
  const wait = noWait();
  const claimed = notEndless('claims');

  const optionsOf = (of: PushFixture): PushOptions => ({
    area: 'jobs',
    entities: [configured('companies'), configured('application-statuses')],
    state: {
      queue: {
        claim: ({ entity, limit }) => {
          claimed();
          const due = entity === 'companies' ? of.due : of.statusesDue;
          return Promise.resolve(due.splice(0, limit).map((key) => claimOf(entity, key, of.attempts)));
        },
        claimRecord: ({ entity, key, requestId }) =>
          Promise.resolve({ ...claimOf(entity, key, 0), requestId, unacknowledged: false }),
        findControl: (entity) =>
          Promise.resolve({
            control:
              of.control === null || entity !== 'companies'
                ? null
                : { key: of.control, hash: 'acknowledged', payload: { name: 'as before' }, parent: null },
            accepted: of.acceptedBefore,
          }),
        record: async ({ outcomes }) => {
          await of.record(outcomes);
          of.written.push(...outcomes);
        },
        takeOver: () => Promise.resolve(0),
        nextSettledIn: () => Promise.resolve(null),
        nextAttemptIn: () => Promise.resolve(null),
        leastRecentlyTried: (among) => Promise.resolve(among),
        retryBlameless: (name) => {
          of.retried.push(name);
          return Promise.resolve();
        },
        forget: () => Promise.resolve(true),
        forgiveAttempts: (_entity, forgiven) => {
          of.forgiven.push(...forgiven);
          return Promise.resolve();
        },
      },
      areaStates: {
        read: () => Promise.resolve(of.stored),
        all: () => Promise.resolve([]),
        save: (_fence, { stop, failingMs: _, ...finding }) => {
          of.stored = {
            ...finding,
            failingSince: null,
            retryAt: null,
            answeredAt: null,
            learnedRate: of.stored?.learnedRate ?? null,
            platformVersion: of.stored?.platformVersion ?? null,
            pause:
              stop?.delayMs === undefined
                ? null
                : { until: new Date(of.now + stop.delayMs), leftMs: stop.delayMs },
            stop: stop && { ...stop, since: new Date(0) },
          };
          return Promise.resolve();
        },
        saveRetry: () => Promise.resolve(),
        saveLearnedRate: (_fence, _area, learned) => Promise.resolve(void of.learnedRates.push(learned)),
        savePlatformVersion: () => Promise.resolve(),
        endPauses: () => Promise.resolve([]),
      },
      entityStates: {
        read: () => Promise.resolve(of.state),
        hold: () => Promise.resolve(),
        holdPush: () => of.holdPush(),
        distrust: () => Promise.resolve(),
        endDoubt: () => Promise.resolve(true),
        requestFullSweep: () => Promise.resolve(),
        noteSuccess: (name) => Promise.resolve(void of.noted.push(name)),
      },
    },
    platform: () => ({
      async send({ platformId, onWritten }) {
        of.sent.push(platformId);
        const reply = await of.reply(platformId);
        if (reply.kind !== 'unreachable') onWritten?.();
        return reply;
      },
      prepare: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
    rateLimit: {
      async schedule<T>(attempt: (place: Place) => Promise<T>, urgent = false): Promise<T> {
        await of.beforePlace(urgent);
        return attempt({
          release: () => {},
          written: () => (of.timed += 1),
          answered: (news) => of.news.push(news),
        });
      },
      learning: { learned: () => of.learned, resume: (learned) => (of.learned = learned) },
    },
    clock: {
      now: () => of.now,
      monotonic: () => of.now,
      async sleep(ms, signal) {
        // Replies that are there come first: only when nothing else happens does time pass.
        await wait();
        if (!signal?.aborted) of.now += ms;
      },
    },
    emit: (event) => of.events.push(event),
    settings: {
      retry: { ...of.settings, baseDelayMs: 10, maxDelayMs: 100, maxPauseMs: 60_000, runForMs: 0 },
      guards: {
        ...of.settings,
        maxVanishedPercent: 10,
        maxVanishedCount: 1_000,
        maxInvalidPercent: 50,
        maxChangedPercent: 50,
      },
      platform: { timeZone: 'Asia/Jakarta' },
    },
    newId: () => 'an id',
    areaSettings: { ...of.areaSettings, baseUrl: 'https://platform.example', clientId: 'one' },
    lease: { fenced: (statement) => statement(FENCE), held: () => of.leaseHeld },
    runId: null,
    signal: of.abort.signal,
    random: () => 0,
    counters: new Map<EntityName, PushCounters>([
      ['companies', counters],
      ['application-statuses', counters],
    ]),
  });
  return fixture;
}

/** The loop needs a few parts of a run's context more than a push does. */
function loopOf(
  fixture: PushFixture,
  { left, retry, concurrency, random = 0, idle, stopped, silent }: LoopOptions = {},
): Promise<void> {
  const { state, entities, settings, areaSettings, lease, rateLimit, platform, clock } = fixture.options();
  const jobs = { ...areaSettings, concurrency: concurrency ?? areaSettings.concurrency };
  const counts = { waiting: 0, blocked: 0, pending: 0, deferred: 0, ...left };
  const context = {
    settings: { ...settings, retry: { ...settings.retry, ...retry }, areas: { jobs } },
    entities: entities.filter(({ name }) => name === 'companies'),
    state: { ...state, records: { counts: () => Promise.resolve(counts) } },
    ...{ platform, clock },
    emit: (event: SyncEvent) => fixture.events.push(event),
    signal: fixture.abort.signal,
    random: () => random,
  } as unknown as RunContext;
  return pushLoop(context, { ...lease, held: () => true } as HeldLease, 'jobs', rateLimit, {
    idle: idle ?? wokenAtOnce(),
    stopped: stopped ?? wokenAtOnce(),
    silent: silent ?? wokenAtOnce(),
  });
}

/** An entity as it is configured by default, with no query. */
export function configured(name: EntityName): ConfiguredEntity {
  return {
    ...entity(name),
    query: { entity: name, sql: '', file: `${name}.sql`, columns: [] },
    mapContext: { lookups: {}, plainText: [], required: null, namespace: '' },
    onVanished: 'report',
    closedStatus: 'closed',
    requireInbox: true,
    refreshAfterMs: null,
    fingerprint: 'f1',
  };
}

/** The key is its own platform id, so that a request shows whose it is. */
function claimOf(entity: EntityName, key: string, attempts: number): Claim {
  return {
    entity,
    key,
    platformId: key,
    requestId: `request-${key}`,
    claimedAt: '2026-01-01 00:00:00+00',
    hash: `hash-${key}`,
    payload: { name: key },
    attempts,
    confirming: false,
    reused: false,
    parent: null,
    parentPlatformId: null,
    previousAttemptAt: null,
    failsAlone: false,
    previousOutcome: null,
    unacknowledged: true,
  };
}

export const NOTHING_KNOWN: EntityState = {
  ...ABSENT_ENTITY_STATE,
  entity: 'companies',
  readAt: '2026-01-01 00:00:00+00',
};
