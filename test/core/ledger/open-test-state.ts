import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { EntityName } from '../../../src/core/domain/names.js';
import type { Fence } from '../../../src/core/ports/clock.js';
import { entity as entityNamed } from '../../../src/core/entities/index.js';
import type { Claim, Outcome } from '../../../src/core/ledger/queue/types.js';
import type { StagedFinding } from '../../../src/core/ledger/staging.js';
import { createState, type State } from '../../../src/features/create-state.js';
import { createStateDatabase, type StateDatabase } from '../../../src/core/ledger/database/state-database.js';
import { takingOver } from '../../../src/core/push/take-over.js';
import { requestOf } from '../../../src/core/push/request.js';
import { createMigratedDatabase } from '../../postgres/test-database.js';

/** The time-out of every area in these tests, milliseconds. */
export const TIMEOUT_MS = 30_000;

/** Nobody stops these tests' publications. */
export const NEVER = new AbortController().signal;

/** Ends claims as a process does in which nothing is configured. */
export const TAKING_OVER = takingOver([], () => TIMEOUT_MS);

const SINCE = '2000-01-01T00:00:00Z';

/** The state on a database of one test, with short ways to bring records into it. */
export interface TestState extends State {
  /** Of the two leases, which are held for an hour. */
  readonly sweep: Fence;
  readonly push: Fence;
  /** Of the test's own database. */
  readonly url: string;
  /** A transaction of the state's own kind, beside it. */
  readonly transaction: StateDatabase['transaction'];
  sql<Row extends Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** One row of the ledger with the names of its columns; undefined: not there. */
  row(key: string, entity?: EntityName): Promise<Record<string, unknown> | undefined>;
  publish(entity: EntityName, ...findings: readonly StagedFinding[]): Promise<void>;
  claim(
    entity?: EntityName,
    options?: Partial<Parameters<State['queue']['claim']>[0]>,
  ): Promise<readonly Claim[]>;
  record(...outcomes: readonly Outcome[]): Promise<void>;
  /** Claims everything of an entity and has it accepted. */
  acceptAll(entity?: EntityName): Promise<void>;
}

export async function openTestState(): Promise<TestState> {
  const database = await createMigratedDatabase();
  const connection = createStateDatabase({ url: database.url, poolMax: 6, schema: 'placement_sync' });
  onTestFinished(() => connection.close());
  const state = createState(connection);
  const [sweep, push] = [await hold(state, 'sweep'), await hold(state, 'push')];

  const claim: TestState['claim'] = (entity = 'companies', options = {}) =>
    state.queue.claim({
      fence: push,
      entity,
      position: null,
      limit: 100,
      deletions: true,
      since: SINCE,
      ...options,
    });
  const record: TestState['record'] = (...outcomes) =>
    state.queue.record({ fence: push, outcomes, tallies: [], timeoutMs: () => TIMEOUT_MS });
  return {
    ...state,
    sweep,
    push,
    url: database.url,
    transaction: connection.transaction,
    sql: (text, params) => database.query(text, params),
    row: async (key, entity = 'companies') => {
      const rows = await database.query(
        'select * from placement_sync.sync_state where entity = $1 and key = $2',
        [entity, key],
      );
      return rows[0];
    },
    async publish(entity, ...findings) {
      await state.staging.clear(sweep);
      await state.staging.stage(sweep, entity, findings);
      const { renamings, removed } = await state.staging.resolveRenamings(sweep, entity, true);
      await state.staging.publish(sweep, entity, {
        renamings,
        expected: findings.length - removed,
        stamp: { fingerprint: 'f1', full: false, startedAt: SINCE },
        signal: NEVER,
      });
    },
    claim,
    record,
    acceptAll: async (entity = 'companies') => {
      await record(...(await claim(entity)).map((claimed) => accepted(claimed)));
    },
  };
}

async function hold(state: State, name: 'sweep' | 'push'): Promise<Fence> {
  const acquired = await state.leases.acquire(name, 'test', 3_600_000);
  if ('heldBy' in acquired) throw new Error(`${name} is held`);
  return acquired.lease.fence;
}

/** The fence of another acquisition: what is the same of it, and what is not. */
export const otherToken = ({ token, nonce }: Fence): Fence => ({ token: token - 1n, nonce });
export const otherNonce = ({ token }: Fence): Fence => ({ token, nonce: randomUUID() });

/** The same key gives the same platform id. */
export function idOf(key: string): string {
  return `00000000-0000-4000-8000-${Buffer.from(key).toString('hex').padStart(12, '0')}`;
}

/** A finding with a payload; `payload.name` is what is desired. */
export function wants(
  key: string,
  name: string,
  parent: string | null = null,
  kind: 'new' | 'changed' = 'new',
): StagedFinding {
  return {
    kind,
    key,
    platformId: idOf(key),
    parentPlatformId: parent === null ? null : idOf(parent),
    rowVersion: name,
    desiredHash: hashOf(name),
    desiredPayload: { name },
    invalidReason: null,
  };
}

/** A finding that wants nothing else than before. */
export function says(kind: 'touched' | 'invalid' | 'vanished', key: string): StagedFinding {
  return {
    kind,
    key,
    platformId: kind === 'vanished' ? null : idOf(key),
    parentPlatformId: null,
    rowVersion: 'touched',
    desiredHash: null,
    desiredPayload: null,
    invalidReason: kind === 'invalid' ? [{ code: 'required', field: 'name', message: 'is missing' }] : null,
  };
}

export const hashOf = (name: string): string => `v1:${name}`;

/** What a push notes of the request for a claim. */
const sentOf = (claim: Claim) =>
  requestOf({ ...entityNamed(claim.entity), closedStatus: 'closed' }, claim).sent;

export function accepted(claim: Claim, reference = `ref-${claim.key}`): Outcome {
  const { entity, key, requestId, hash, payload, parentPlatformId } = claim;
  return {
    entity,
    key,
    requestId,
    sent: sentOf(claim),
    kind: 'accepted',
    hash,
    payload,
    parentPlatformId,
    reference,
    remoteId: `id-${key}`,
    details: null,
    statusCode: 200,
  };
}

export function refused(claim: Claim): Outcome {
  const { entity, key, requestId, hash } = claim;
  const error = 'HTTP 422: no';
  return { entity, key, requestId, sent: sentOf(claim), kind: 'refused', hash, statusCode: 422, error };
}

export function deferred(
  claim: Claim,
  options: { known?: boolean; exhausted?: boolean; delayMs?: number } = {},
): Outcome {
  const { entity, key, requestId, hash, reused } = claim;
  const { known = true, exhausted = false, delayMs = 3_600_000 } = options;
  return {
    entity,
    key,
    requestId,
    sent: sentOf(claim),
    kind: 'deferred',
    hash,
    known,
    counts: true,
    exhausted,
    delayMs,
    reused,
    statusCode: 500,
    error: 'HTTP 500',
  };
}

export function handedBack({ entity, key, requestId, previousAttemptAt, reused }: Claim): Outcome {
  return { entity, key, requestId, kind: 'handed-back', known: true, reply: null, previousAttemptAt, reused };
}

/** The one element of a list. */
export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`expected one, got ${list.length}`);
  return first;
}
