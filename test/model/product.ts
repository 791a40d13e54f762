import { hashPayload, ABSENT_HASH } from '../../src/domain/payload/hash-payload.js';
import { platformId } from '../../src/domain/key/platform-id.js';
import { judgeReply } from '../../src/domain/reply/judge-reply.js';
import type { Reply } from '../../src/domain/reply/reply.js';
import type { JsonObject } from '../../src/domain/json.js';
import { vacancies } from '../../src/entities/vacancies.js';
import type { Claim, Outcome } from '../../src/ports/queue.js';
import type { LedgerEntry } from '../../src/ports/ledger.js';
import type { StagedFinding } from '../../src/ports/staging.js';
import type { EntityPlan, VanishedPolicy } from '../../src/sync/entity-plan.js';
import { handBack, outcomeOf } from '../../src/sync/push/outcome-of.js';
import { requestFor } from '../../src/sync/push/request-for.js';
import { examineRow } from '../../src/sync/sweep/examine-row.js';
import { vanishedFinding } from '../../src/sync/sweep/vanished-finding.js';
import {
  ABSENT,
  NOTHING,
  OF_OTHER_PARENT,
  type Hash,
  type Row,
  type RowFinding,
  type RowOutcome,
} from './ledger-row.js';
import { INVALID } from './world-state.js';

/**
 * The product's own pure functions, in the model's numbers: a row is examined, a request composed and its reply judged
 * by the code that does it in production. Each answer is asked for once and kept.
 */

const NAMESPACE = '6f1f3a52-0d44-4d9b-9d57-3b1b6c1d7a10';
const COMPANIES = ['c', 'other'];
const KEY = 'v';
const parentNamed = (key: string) => platformId('companies', key, NAMESPACE);
export const PARENT_ID = parentNamed('c');
export const OTHER_PARENT_ID = parentNamed('other');
/** The parent of each payload. */
export const parentOf = (hash: Hash): string => (hash === OF_OTHER_PARENT ? OTHER_PARENT_ID : PARENT_ID);
export const PLATFORM_ID = platformId('vacancies', KEY, NAMESPACE);
export const REFERENCES = ['first reference', 'second reference'];

const plan: EntityPlan = {
  entity: vacancies,
  sql: '',
  queryFile: 'queries/vacancies.sql',
  mapContext: { lookups: {}, plainText: [], required: null, namespace: NAMESPACE },
  onVanished: 'delete',
  closedStatus: 'closed',
  requireInbox: false,
  refreshAfterMs: null,
  fingerprint: '',
};

const rowOf = (source: number) => ({
  key: KEY,
  company_key: COMPANIES[source === OF_OTHER_PARENT ? 1 : 0] ?? '',
  title: source === INVALID ? null : `Vacancy ${source}`,
});

/** Payload and hash of what source value 1 to 3 wants, as a sweep makes them. */
export const PAYLOADS: readonly JsonObject[] = [{}, 1, 2, 3].map((source) => {
  if (typeof source !== 'number') return {};
  const { payload } = vacancies.map(rowOf(source), plan.mapContext);
  if (payload === null) throw new Error('the sample row is invalid');
  return payload;
});
export const HASHES: readonly (string | null)[] = PAYLOADS.map((payload, hash) =>
  hash === NOTHING ? null : hashPayload(payload, { field: 'employer', platformId: parentOf(hash) }),
).concat(ABSENT_HASH);

export function hashCode(hash: string | null): Hash {
  const code = HASHES.indexOf(hash);
  if (code < 0) throw new Error(`unknown hash ${String(hash)}`);
  return code;
}

/** What a sweep finds of the record; null: nothing to publish. */
export function findingFor(source: number, row: Row, policy: VanishedPolicy): StagedFinding | null {
  const known: LedgerEntry | null = row.exists
    ? {
        key: KEY,
        rowVersion: 'same',
        vanished: row.vanished,
        invalid: row.invalid,
        desiredHash: HASHES[row.desired] ?? null,
        sendable: false,
        payloadDropped: false,
        noted: null,
      }
    : null;
  if (source === NOTHING) {
    if (known === null || known.vanished) return null;
    const payloads = {
      desired: PAYLOADS[row.desired] ?? null,
      acknowledged: null,
      deleted: row.acknowledged === ABSENT,
      parentPlatformId: parentOf(row.desired),
      acknowledgedParentPlatformId: parentOf(row.acknowledged),
    };
    return vanishedFinding({ ...plan, onVanished: policy }, known, payloads, '2026-01-01').finding;
  }
  if (source === INVALID && row.invalid) return null;
  const { finding } = examineRow({
    plan,
    source: { key: KEY, rowVersion: 'same', row: rowOf(source) },
    known,
    noted: null,
    platformId: PLATFORM_ID,
    anew: false,
    now: '2026-01-01 00:00:00',
  });
  return finding;
}

export function rowFinding({ kind, desiredHash, parentPlatformId }: StagedFinding): RowFinding {
  if (kind === 'touched') throw new Error('nothing is touched here');
  return { kind, desired: hashCode(desiredHash), moved: parentPlatformId === OTHER_PARENT_ID };
}

/** A claim of payload `sent`, composed with the parent's reference of number `reference`. */
export function claimOf(sent: Hash, moved: boolean, reference: number, triedBefore: boolean): Claim {
  const payload = PAYLOADS[sent === ABSENT ? 1 : sent];
  return {
    entity: 'vacancies',
    key: KEY,
    platformId: PLATFORM_ID,
    requestId: 'request',
    reused: false,
    hash: HASHES[sent] ?? '',
    payload: payload ?? {},
    attempts: 0,
    confirming: false,
    parentPlatformId: moved ? OTHER_PARENT_ID : PARENT_ID,
    parent: { reference: REFERENCES[reference] ?? '', payload: { name: 'Company' } },
    previousAttemptAt: triedBefore ? '2026-01-01' : null,
    previousOutcome: null,
    unacknowledged: false,
  };
}

/** What a request brings to a platform that processes it: a payload, or nothing, and the parent it names. */
export function effectOf(sent: Hash, reference: number): { platform: Hash; reference: number } {
  const { method, body } = requestFor(vacancies, claimOf(sent, sent === OF_OTHER_PARENT, reference, false));
  if (method === 'DELETE') return { platform: NOTHING, reference: 0 };
  const { employer, ...payload } = body ?? {};
  return {
    platform: hashCode(hashPayload(payload, { field: 'employer', platformId: parentOf(sent) })),
    reference: REFERENCES.indexOf((employer as { readonly id?: string } | undefined)?.id ?? ''),
  };
}

const answered = {
  kind: 'answered',
  status: 200,
  result: null,
  malformed: null,
  json: {},
  html: false,
  retryAfter: null,
  date: null,
  location: null,
  receivedAt: 0,
} as const;

/** What comes of a request; `null`: it was handed back because its place in the rate came too late. */
export const REPLIES: readonly { readonly name: string; readonly reply: Reply | null }[] = [
  { name: 'accepted', reply: { ...answered, result: { id: 'id', reference: 'reference' } } },
  { name: 'refused with 422', reply: { ...answered, status: 422, json: { message: 'no' } } },
  { name: 'no reply', reply: { kind: 'silent', code: 'ETIMEDOUT', message: 'time-out' } },
  { name: 'the platform’s own 500', reply: { ...answered, status: 500, json: { message: 'broken' } } },
  {
    name: 'a gateway’s 503 that asks to wait',
    reply: { ...answered, status: 503, json: undefined, html: true, retryAfter: '60' },
  },
  { name: 'handed back unsent', reply: null },
];
export const ACCEPTED = 0;
export const REFUSED = 1;
/** Faults: whether the request may still arrive. */
export const FAULTS = [
  { reply: 2, late: true },
  { reply: 3, late: false },
  { reply: 4, late: true },
  { reply: 5, late: false },
];

const LIMITS = { maxAttempts: 10, baseDelayMs: 36_000_000, maxDelayMs: 36_000_000 };

/** The outcome that the product writes for a claim and a reply. */
export function outcomeFor(claim: Claim, reply: number): Outcome {
  const found = REPLIES[reply]?.reply;
  if (!found) return handBack(claim);
  const { method } = requestFor(vacancies, claim);
  return outcomeOf(claim, judgeReply(found, { method, now: 0, reused: claim.reused }), LIMITS, 0.5);
}

function rowOutcome(sent: Hash, moved: boolean, reply: number, triedBefore: boolean): RowOutcome {
  const outcome = outcomeFor(claimOf(sent, moved, 0, triedBefore), reply);
  switch (outcome.kind) {
    case 'accepted':
      return {
        kind: 'accepted',
        sent: hashCode(outcome.hash),
        moved: outcome.parentPlatformId === OTHER_PARENT_ID,
      };
    case 'refused':
      return { kind: 'refused', sent: hashCode(outcome.hash) };
    case 'deferred':
      if (outcome.exhausted) throw new Error('an attempt was the last one');
      return { kind: 'deferred', sent: hashCode(outcome.hash), known: outcome.known };
    case 'handed-back':
      return {
        kind: 'handed-back',
        sent,
        known: outcome.known,
        triedBefore: outcome.previousAttemptAt !== null,
      };
  }
}

function remembered<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>();
  return (index) => {
    let found = made.get(index);
    if (found === undefined) made.set(index, (found = make(index)));
    return found;
  };
}

const outcomes = remembered((n) => rowOutcome(n >> 5, (n & 16) > 0, (n >> 1) & 7, (n & 1) === 1));
export const knownOutcome = (sent: Hash, moved: boolean, reply: number, triedBefore: boolean): RowOutcome =>
  outcomes((sent << 5) | (moved ? 16 : 0) | (reply << 1) | (triedBefore ? 1 : 0));

const effects = remembered((n) => effectOf(n >> 1, n & 1));
export const knownEffect = (sent: Hash, reference: number) => effects((sent << 1) | reference);

/** Findings of one policy. */
export function createFindings(policy: VanishedPolicy): (source: number, row: Row) => RowFinding | null {
  const findings = remembered((n) => {
    const row = {
      exists: n & 1,
      vanished: n & 2,
      invalid: n & 4,
      desired: (n >> 3) & 7,
      acknowledged: (n >> 6) & 7,
    };
    const found = findingFor(
      n >> 9,
      { ...row, exists: row.exists > 0, vanished: row.vanished > 0, invalid: row.invalid > 0 } as Row,
      policy,
    );
    return { finding: found && rowFinding(found) };
  });
  return (source, row) =>
    findings(
      (source << 9) |
        (row.acknowledged << 6) |
        (row.desired << 3) |
        (row.invalid ? 4 : 0) |
        (row.vanished ? 2 : 0) |
        (row.exists ? 1 : 0),
    ).finding;
}
