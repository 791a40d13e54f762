import type { Operation, Operations } from '../../core/contract/operation.js';
import { type SignatureProfile, signatureProfile } from '../../core/contract/signature.js';
import { type Area, AREAS } from '../../core/domain/names.js';
import { OPERATIONS } from '../../core/entities/index.js';
import type { ActiveFaults } from './faults.js';
import { type Match, operationFinder } from './find-operation.js';
import { createJournal, type Journal, type JournalEntry } from './journal.js';
import {
  DEFAULT_CLIENT,
  type Intercept,
  type SandboxClient,
  type SandboxOptions,
} from './sandbox-options.js';
import type { Store } from './store.js';

/** Everything one sandbox remembers, and its settings with defaults filled in. */
export interface Sandbox {
  readonly store: Store;
  readonly journal: Journal;
  readonly requestIds: RequestIds;
  readonly clients: Readonly<Record<Area, SandboxClient>>;
  readonly timeZone: string;
  /** Whether it refuses what the interface's words rule out, and fields that it does not list. */
  readonly strict: boolean;
  readonly intercept: Intercept | null;
  readonly faults: ActiveFaults;
  readonly profiles: Readonly<Record<Area, SignatureProfile>>;
  readonly basePaths: Readonly<Record<Area, string>>;
  /** Every operation, with its method and path. */
  readonly operations: Operations;
  findOperation(method: string, path: string): Match | null;
  now(): number;
  /** Rejects when the sandbox closes. */
  readonly sleep: (ms: number) => Promise<void>;
  onRequest(entry: Readonly<JournalEntry>): void;
  /** How many requests for this method and path were counted, this one included. */
  countRequest(method: string, path: string): number;
}

/** What an operation sees of a request, and what it works on. */
export interface RequestContext extends Pick<Sandbox, 'store' | 'timeZone' | 'strict'> {
  readonly operation: Operation;
  /** The id in the path: a UUID. */
  readonly id: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly nowMs: number;
  readonly clientId: string;
  readonly clientIp: string;
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
  const { dialects = {}, profile = 'digest-lines', operations = OPERATIONS } = options;
  const byArea = <Value>(value: (area: Area) => Value) =>
    Object.fromEntries(AREAS.map((area) => [area, value(area)])) as Record<Area, Value>;
  const basePaths = byArea((area) => dialects[area]?.basePath ?? '');
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
    timeZone: options.timeZone ?? 'Asia/Jakarta',
    strict: options.strict ?? true,
    intercept: options.intercept ?? null,
    faults,
    profiles: byArea((area) => signatureProfile(dialects[area]?.profile ?? profile)),
    basePaths,
    operations,
    findOperation: operationFinder(
      Object.values(operations).map((each) => ({ operation: each, basePath: basePaths[each.area] })),
    ),
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
