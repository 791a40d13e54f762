import type { JsonObject } from '../../src/core/domain/row.js';
import { idOf, type TestState } from '../core/ledger/open-test-state.js';
import type { Exploration } from './explore.js';
import { isOfOtherParent, NOTHING, OF_OTHER_PARENT, payloadOf } from './hash.js';
import { CURRENT, FIRST_DEADLINE, NO_CONFIRMATION, PASSED, type Row, UNCLAIMED } from './ledger-row.js';
import {
  HASHES,
  OTHER_PARENT_ID,
  PARENT_ID,
  parentId,
  payloadCode,
  PAYLOADS,
  REFERENCES,
} from './samples.js';
import { encodeRow, type World } from './world-state.js';

const HOUR = 3_600_000;
const OLDER_NONCE = '0b9d6f0e-2d9c-4a49-9a55-0c6f0f3a3a11';
/** The time-out, milliseconds; long, so that the time that a test takes changes nothing. */
export const LONG_TIMEOUT_MS = HOUR;

export const keyOf = (index: number) => `v${String(index).padStart(6, '0')}`;
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The columns of one record as they are compared, times as what they mean. */
export interface Columns {
  parent: string | null;
  desired: string | null;
  desiredPayload: number;
  acknowledged: string | null;
  acknowledgedPayload: number;
  acknowledgedParent: string | null;
  refused: string | null;
  vanished: boolean;
  invalid: boolean;
  claim: number;
  tried: boolean;
  confirm: 'none' | 'passed' | 'earlier deadline' | 'own deadline' | 'delayed';
  deferred: boolean;
  attempts: number;
}

/** When the claim was made, in milliseconds; its confirmation is due two hours later. */
const claimedAt = (base: number, { expired }: RowCase) => base - (expired ? 4 : 0.5) * HOUR;

function confirmAt(base: number, found: RowCase): number | null {
  const { row } = found;
  if (row.confirm === NO_CONFIRMATION) return null;
  if (row.confirmDelayed) return base + 5 * HOUR;
  if (row.confirm === FIRST_DEADLINE) return base + HOUR;
  return row.claim === UNCLAIMED || row.due ? base - 10 * HOUR : claimedAt(base, found) + 1_000;
}

/** Empties the ledger and fills it with two parents that have a reference, and the rows of these cases. */
export async function fill(state: TestState, cases: readonly RowCase[]): Promise<number> {
  await state.sql('delete from placement_sync.sync_state');
  await state.publish('companies', parent('c', PARENT_ID), parent('other', OTHER_PARENT_ID));
  await state.sql(
    `update placement_sync.sync_state set acknowledged_hash = desired_hash, acknowledged_at = now(), attempted_at = now(),
       reference = $1 where entity = 'companies'`,
    [REFERENCES[0]],
  );
  const [time] = await state.sql<{ now: string }>('select (extract(epoch from now()) * 1000)::bigint as now');
  const base = Number(time?.now);
  const rows = cases.flatMap((found, index) =>
    found.row.exists ? [concrete(state, base, found, index)] : [],
  );
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await state.sql(
    `insert into placement_sync.sync_state (entity, ${columns}) select 'vacancies', ${columns}
     from jsonb_populate_recordset(null::placement_sync.sync_state, $1)`,
    [JSON.stringify(rows)],
  );
  // Thousands of claims at a time are more than the planner expects of a table that it knows nothing of.
  await state.sql('analyze placement_sync.sync_state');
  return base;
}

function parent(key: string, platformId: string) {
  return {
    kind: 'new' as const,
    key,
    platformId,
    parentPlatformId: null,
    rowVersion: '1',
    desiredHash: 'v1:company',
    desiredPayload: { name: 'Company' },
    invalidReason: null,
  };
}

function concrete(state: TestState, base: number, found: RowCase, index: number) {
  const { row, sent } = found;
  const claimed = row.claim !== UNCLAIMED;
  return {
    key: keyOf(index),
    platform_id: idOf(String(index)),
    parent_platform_id: parentId(row.moved),
    row_version: 'same',
    desired_hash: HASHES[row.desired] ?? null,
    desired_payload: PAYLOADS[row.desiredPayload] ?? null,
    acknowledged_hash: HASHES[row.acknowledged] ?? null,
    acknowledged_payload: PAYLOADS[row.acknowledgedPayload] ?? null,
    acknowledged_at: iso(row.known ? base - 24 * HOUR : null),
    acknowledged_parent_platform_id: row.known ? parentId(row.knownMoved) : null,
    refused_hash: HASHES[row.refused] ?? null,
    invalid_reason: row.invalid ? [{ code: 'required', field: 'title', message: 'is missing' }] : undefined,
    vanished_at: iso(row.vanished ? base : null),
    attempts: row.attempts,
    attempted_at: iso(claimed ? claimedAt(base, found) : row.tried ? base - 8 * HOUR : null),
    // A database that went back in time hands out a token twice: of the older ones only the nonce is another.
    claim_token: claimed ? String(state.push.token) : null,
    claim_nonce: claimed ? (row.claim === CURRENT ? state.push.nonce : OLDER_NONCE) : null,
    confirm_at: iso(confirmAt(base, found)),
    next_attempt_at: iso(row.deferred ? base + 5 * HOUR : null),
    last_request_id: `request of ${keyOf(index)}`,
    sent_hash: HASHES[sent] ?? null,
    request_open: claimed,
  };
}

interface LedgerRow extends Record<string, unknown> {
  key: string;
  desiredPayload: JsonObject | null;
  acknowledgedPayload: JsonObject | null;
  claim: string | null;
  confirm: string | null;
  next: string | null;
}

/** What the ledger has of every case, by key. */
export async function columnsIn(
  state: TestState,
  base: number,
  cases: readonly RowCase[],
): Promise<Map<string, Columns>> {
  const rows = await state.sql<LedgerRow>(
    `select key, parent_platform_id as parent, desired_hash as desired, desired_payload as "desiredPayload",
       acknowledged_hash as acknowledged, acknowledged_payload as "acknowledgedPayload",
       acknowledged_parent_platform_id as "acknowledgedParent",
       refused_hash as refused, vanished_at is not null as vanished, invalid_reason is not null as invalid,
       attempted_at is not null as tried, attempts, case when claim_token is not null then claim_nonce end as claim,
       (extract(epoch from confirm_at) * 1000)::bigint as confirm,
       (extract(epoch from next_attempt_at) * 1000)::bigint as next
     from placement_sync.sync_state where entity = 'vacancies'`,
  );
  return new Map(
    rows.map(({ key, desiredPayload, acknowledgedPayload, claim, confirm, next, ...same }) => {
      const found = cases[Number(key.slice(1))];
      const own = found ? claimedAt(base, found) + 2 * LONG_TIMEOUT_MS : 0;
      const columns = {
        ...same,
        desiredPayload: payloadCode(desiredPayload),
        acknowledgedPayload: payloadCode(acknowledgedPayload),
        claim: claim === null ? UNCLAIMED : claim === state.push.nonce ? CURRENT : 1,
        confirm: timeOf(confirm, base, own),
        deferred: next !== null && Number(next) > base + 4 * HOUR,
      };
      return [key, columns as unknown as Columns];
    }),
  );
}

function timeOf(confirm: string | null, base: number, own: number): Columns['confirm'] {
  if (confirm === null) return 'none';
  const at = Number(confirm);
  if (at > base + 4 * HOUR) return 'delayed';
  if (at <= base) return 'passed';
  return at === own ? 'own deadline' : 'earlier deadline';
}

/** The same columns of a row of the model. */
export function columnsOf(row: Row): Columns {
  return {
    parent: parentId(row.moved),
    desired: HASHES[row.desired] ?? null,
    desiredPayload: row.desiredPayload,
    acknowledged: HASHES[row.acknowledged] ?? null,
    acknowledgedPayload: row.acknowledgedPayload,
    acknowledgedParent: row.known ? parentId(row.knownMoved) : null,
    refused: HASHES[row.refused] ?? null,
    vanished: row.vanished,
    invalid: row.invalid,
    claim: row.claim,
    tried: row.tried,
    confirm: row.confirmDelayed
      ? 'delayed'
      : row.confirm === NO_CONFIRMATION
        ? 'none'
        : row.confirm === PASSED
          ? 'passed'
          : row.confirm === FIRST_DEADLINE
            ? 'earlier deadline'
            : 'own deadline',
    deferred: row.deferred,
    attempts: row.attempts,
  };
}

/** A row as the exploration saw it, with what its statements need to know of the attempt that has claimed it. */
export interface RowCase {
  /** Deadlines: `FIRST_DEADLINE` one before that of the open claim, `OWN_DEADLINE` that of the claim. */
  readonly row: Row;
  readonly sent: number;
  readonly sentMoved: boolean;
  readonly triedBefore: boolean;
  /** The claim's deadline has passed. */
  readonly expired: boolean;
}

export const OWN_DEADLINE = FIRST_DEADLINE + 1;

/** Every distinct row of an exploration. */
export function rowCases(explorations: readonly Exploration[]): RowCase[] {
  const cases = new Map<string, RowCase>();
  for (const { states, state } of explorations) {
    for (let index = 0; index < states; index += 1) {
      const found = caseOf(state(index));
      const { row, sent, sentMoved, triedBefore, expired } = found;
      const { desiredPayload, acknowledgedPayload } = row;
      cases.set(
        [encodeRow(row), desiredPayload, acknowledgedPayload, sent, sentMoved, triedBefore, expired].join(),
        found,
      );
    }
  }
  return [...cases.values()];
}

function caseOf({ row, attempts }: World): RowCase {
  const claim = row.claim === UNCLAIMED ? undefined : attempts[row.last];
  return {
    row: { ...row, ...payloadsOf(row), last: 0, confirm: Math.min(row.confirm, FIRST_DEADLINE) },
    sent: claim?.sent ?? 0,
    sentMoved: claim?.moved ?? false,
    // Of a claim of an older token nobody knows it any more.
    triedBefore: row.claim === CURRENT && claim?.triedBefore === true,
    expired: claim?.expired ?? false,
  };
}

/** Where the exploration has forgotten them, payloads that the row may have: each of the parent that is noted. */
function payloadsOf(row: Row): Pick<Row, 'desiredPayload' | 'acknowledgedPayload'> {
  const some = (moved: boolean) => (moved ? OF_OTHER_PARENT : 1);
  const desiredPayload =
    row.desiredPayload || payloadOf(row.desired) || (row.tried || row.known ? some(row.moved) : NOTHING);
  const isOther = row.known && isOfOtherParent(desiredPayload) !== row.knownMoved;
  const acknowledgedPayload = row.acknowledgedPayload || (isOther ? some(row.knownMoved) : NOTHING);
  return { desiredPayload, acknowledgedPayload };
}
