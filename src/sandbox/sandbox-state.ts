import type { Operations } from '../contract/operation.js';
import { OPERATIONS } from '../entities/operations.js';
import type { RequestTimestampForm } from '../contract/request-timestamp.js';
import type { SignatureProfile } from '../contract/signature-profile.js';
import { chooseSignature } from '../contract/signature-profiles.js';
import type { Area } from '../domain/area.js';
import type { ActiveFaults } from './faults/active-faults.js';
import { operationFinder, type Match } from './find-operation.js';
import type { Intercept } from './intercept.js';
import { createJournal, type Journal, type JournalEntry } from './journal.js';
import { createRequestIds, type RequestIds } from './request-ids.js';
import { DEFAULT_CLIENT, type SandboxClient, type SandboxOptions } from './sandbox-options.js';
import type { Store } from './store.js';

/** Everything one sandbox remembers, and its settings with defaults filled in. */
export interface Sandbox {
  readonly store: Store;
  readonly journal: Journal;
  readonly requestIds: RequestIds;
  readonly clients: Readonly<Record<Area, SandboxClient>>;
  readonly profile: SignatureProfile;
  readonly timestamp: RequestTimestampForm;
  readonly signedPrefix: string;
  readonly toleranceSeconds: number;
  readonly timeZone: string;
  readonly acceptExtraFields: boolean;
  readonly intercept: Intercept | null;
  readonly faults: ActiveFaults;
  readonly operations: Operations;
  /** Folder of its data; null: its records are lost at its end. */
  readonly folder: string | null;
  readonly findOperation: (method: string, path: string) => Match | null;
  now(): number;
  /** Rejects when the sandbox closes. */
  readonly sleep: (ms: number) => Promise<void>;
  onRequest(entry: Readonly<JournalEntry>): void;
  /** How many requests for this method and path were counted, this one included. */
  countRequest(method: string, path: string): number;
}

const JOURNAL_CAPACITY = 200_000;
const REQUEST_ID_CAPACITY = 1_000_000;

/**
 * @param store what it holds
 * @param faults the faults of the rehearsal
 * @param sleep waits so many milliseconds, rejects when the sandbox closes
 */
export function createSandboxState(
  options: SandboxOptions,
  store: Store,
  faults: ActiveFaults,
  sleep: (ms: number) => Promise<void>,
): Sandbox {
  const operations = options.operations ?? OPERATIONS;
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
    profile: chooseSignature({ profile: options.profile ?? 'digest-lines', template: options.template }),
    timestamp: options.timestamp ?? 'seconds',
    signedPrefix: options.signedPrefix ?? '',
    toleranceSeconds: options.clockToleranceSeconds ?? 300,
    timeZone: options.timeZone ?? 'Asia/Jakarta',
    acceptExtraFields: options.extraFields === 'accept',
    intercept: options.intercept ?? null,
    faults,
    operations,
    folder: options.data ?? null,
    findOperation: operationFinder(Object.values(operations)),
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
