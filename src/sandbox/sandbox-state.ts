import type { AreaDeviations } from '../config/deviations.js';
import type { Operation } from '../contract/operation.js';
import { type Area, AREAS } from '../domain/names.js';
import { OPERATIONS } from '../entities/index.js';
import { type ActiveDeviations, createActiveDeviations } from './deviations/active-deviations.js';
import { createRateCounter } from './deviations/answers.js';
import type { ActiveFaults } from './faults.js';
import { createJournal, type Journal, type JournalEntry } from './journal.js';
import type { Headers } from './request.js';
import {
  DEFAULT_CLIENT,
  type Intercept,
  type SandboxClient,
  type SandboxOptions,
} from './sandbox-options.js';
import type { DialectOptions } from './deviations/area-dialect.js';
import type { Store } from './store.js';

/** Everything one sandbox remembers, and its settings with defaults filled in. */
export interface Sandbox {
  readonly store: Store;
  readonly journal: Journal;
  readonly requestIds: RequestIds;
  readonly clients: Readonly<Record<Area, SandboxClient>>;
  readonly toleranceSeconds: number;
  readonly timeZone: string;
  readonly acceptExtraFields: boolean;
  /** Whether it refuses what the interface's words rule out. */
  readonly strict: boolean;
  readonly intercept: Intercept | null;
  readonly faults: ActiveFaults;
  readonly deviations: ActiveDeviations;
  /** Per area, for the headers that say how many requests are left. */
  readonly countRate: Readonly<Record<Area, ReturnType<typeof createRateCounter>>>;
  /** Ids of the applications that it sent by webhook, in lower case. */
  readonly sentApplications: Set<string>;
  /** Folder of its data; null: its records are lost at its end. */
  readonly folder: string | null;
  now(): number;
  /** Rejects when the sandbox closes. */
  readonly sleep: (ms: number) => Promise<void>;
  onRequest(entry: Readonly<JournalEntry>): void;
  /** How many requests for this method and path were counted, this one included. */
  countRequest(method: string, path: string): number;
}

/** What an operation sees of a request, and what it works on. */
export interface RequestContext extends Pick<
  Sandbox,
  'store' | 'timeZone' | 'acceptExtraFields' | 'strict' | 'sentApplications'
> {
  readonly operation: Operation;
  /** The id in the path: a UUID. */
  readonly id: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly nowMs: number;
  /** As `interfaceHeaders` gives them. */
  readonly headers: Headers;
  readonly clientId: string;
  readonly clientIp: string;
  readonly deviations: AreaDeviations;
}

const JOURNAL_CAPACITY = 200_000;
const REQUEST_ID_CAPACITY = 1_000_000;

/** @param sleep rejects when the sandbox closes */
export function createSandboxState(
  options: SandboxOptions,
  store: Store,
  faults: ActiveFaults,
  sleep: (ms: number) => Promise<void>,
): Sandbox {
  const { profile = 'digest-lines', template, timestamp, signedPrefix } = options;
  const usual: DialectOptions = { signature: { profile, template }, timestamp, signedPrefix };
  const dialects = Object.fromEntries(
    AREAS.map((area) => [area, options.dialects?.[area] ?? usual]),
  ) as Record<Area, DialectOptions>;
  const clock = options.clock ?? { now: () => Date.now() };
  const counts = new Map<string, number>();
  return {
    store,
    journal: createJournal(JOURNAL_CAPACITY),
    requestIds: createRequestIds(REQUEST_ID_CAPACITY),
    clients: {
      jobs: options.clients?.jobs ?? DEFAULT_CLIENT,
      training: options.clients?.training ?? DEFAULT_CLIENT,
    },
    toleranceSeconds: options.clockToleranceSeconds ?? 300,
    timeZone: options.timeZone ?? 'Asia/Jakarta',
    acceptExtraFields: options.extraFields === 'accept',
    strict: options.strict ?? true,
    intercept: options.intercept ?? null,
    faults,
    deviations: createActiveDeviations(options.deviations ?? {}, options.operations ?? OPERATIONS, dialects),
    countRate: { jobs: createRateCounter(), training: createRateCounter() },
    sentApplications: new Set(),
    folder: options.data ?? null,
    now: () => clock.now(),
    sleep,
    onRequest: (entry) => options.onRequest?.(entry),
    countRequest(method, path) {
      const name = `${method} ${path}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count;
    },
  };
}

/** Request-Ids that were processed or are being processed, so that none is processed twice (interface §5). */
interface RequestIds {
  /** False: it was taken before. */
  claim(clientId: string, requestId: string): boolean;
  /** The request was not processed after all: the id may come again. */
  release(clientId: string, requestId: string): void;
}

/** @param capacity how many ids are remembered; the oldest are forgotten */
export function createRequestIds(capacity: number): RequestIds {
  const taken = new Set<string>();
  const name = (clientId: string, requestId: string): string => `${clientId}\n${requestId}`;
  return {
    claim(clientId, requestId) {
      const id = name(clientId, requestId);
      if (taken.has(id)) return false;
      taken.add(id);
      // A set keeps the order of insertion.
      const [oldest] = taken.size > capacity ? taken : [];
      if (oldest !== undefined) taken.delete(oldest);
      return true;
    },
    release(clientId, requestId) {
      taken.delete(name(clientId, requestId));
    },
  };
}
