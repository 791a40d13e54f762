import type { EntityName } from '../../domain/names.js';
import { childrenOf } from '../../entities/index.js';
import type { Fence } from '../../ports/clock.js';
import type { StateDatabase, Statements } from '../database/state-database.js';
import { appendDeliveries, finishedRequests } from '../append-deliveries.js';
import { fenceParameters, heldLeaseSql, holdsLease, leaseNotHeld } from '../lease.js';
import { confirmLater, notRepeatable } from '../status-sql.js';
import { countPushed } from './area-states.js';
import type { Outcome, Tally } from './types.js';

interface OutcomeGroup {
  readonly fence: Fence;
  readonly outcomes: readonly Outcome[];
  readonly tallies: readonly Tally[];
  readonly timeoutMs: TimeoutMs;
  /** The run that sends; absent or null: the worker. */
  readonly runId?: string | null;
}

/**
 * Writes groups of outcomes, each group in its own transaction: first the journal, then what became of the records, by kind
 * of outcome, then counters. Each statement changes only records whose claim is still ours (`STILL_OURS`). Errors: SyncError
 * `lease-lost`, after it wrote what still counts.
 */
export function createRecordOutcomes(database: StateDatabase) {
  return async ({ fence, outcomes, tallies, timeoutMs, runId = null }: OutcomeGroup): Promise<void> => {
    const held = await database.transaction(async (statements) => {
      const update: Update = async (sql, outcomes) => {
        if (outcomes.length === 0) return [];
        const rows = outcomes.map((row) => ({ ...row, timeoutMs: timeoutMs(row.entity) }));
        return statements.query(sql, { ...fenceParameters(fence), outcomes: JSON.stringify(rows) });
      };
      // First: it looks at the claims that the outcomes end.
      await appendDeliveries(statements, { fence, runId }, finishedRequests(outcomes));
      await recordAccepted(statements, update, outcomesOf(outcomes, 'accepted'), timeoutMs);
      await recordRefused(update, outcomesOf(outcomes, 'refused'));
      await recordDeferred(update, outcomesOf(outcomes, 'deferred'));
      await recordHandedBack(update, outcomesOf(outcomes, 'handed-back'));
      for (const { entity, fingerprint, refusedInARow, acceptedOnce } of tallies) {
        await statements.query(
          `insert into :schema:.entity_state as e (entity, refused_in_a_row, accepted_once)
           select :entity, cast(:refused as integer), cast(:accepted as boolean)
           where exists (select 1 from :schema:.lease where ${heldLeaseSql('push')})
           on conflict (entity) do update set refused_in_a_row = excluded.refused_in_a_row, accepted_once = excluded.accepted_once
             where e.fingerprint is not distinct from cast(:fingerprint as text)`,
          { entity, fingerprint, refused: refusedInARow, accepted: acceptedOnce, ...fenceParameters(fence) },
        );
      }
      // Last, because all groups of an hour wait for the same row.
      await countPushed(statements, outcomes);
      return holdsLease(statements, 'push', fence);
    });
    if (!held) throw leaseNotHeld('push');
  };
}

type OutcomeOf<K extends Outcome['kind']> = Extract<Outcome, { kind: K }>;
type TimeoutMs = (entity: EntityName) => number;
/** Changes the records of outcomes, as rows in alias `r`; without outcomes it sends nothing. */
type Update = <T>(sql: string, outcomes: readonly { readonly entity: EntityName }[]) => Promise<T[]>;

interface AcceptedRow {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  /** The platform knows it under another reference than before. */
  readonly moved: boolean;
  /** Something else is desired by now. */
  readonly replaced: boolean;
}

/** SQL: outcomes as rows in alias `r`. */
const FROM_OUTCOMES = `jsonb_to_recordset(cast(:outcomes as jsonb)) as r(
  "entity" text, "key" text, "requestId" text, "hash" text, "payload" jsonb, "parentPlatformId" uuid, "reference" text, "remoteId" text,
  "statusCode" integer, "error" text, "known" boolean, "delayMs" double precision, "counts" boolean, "exhausted" boolean,
  "previousAttemptAt" timestamptz, "timeoutMs" double precision, "details" jsonb, "reused" boolean, "body" text, "state" text,
  "control" boolean, "tried" boolean)`;

/** SQL: the platform removed the record, and then it vanished. When it returns, only a person sends it again. */
const STAYS_REMOVED = `(s.vanished_at is not null and s.platform_state is not distinct from 'removed')`;

/** SQL: the claim is still ours: not taken over, not ended by a resend request, not claimed again. */
const STILL_OURS = `s.entity = r."entity" and s.key = r."key" and s.last_request_id = r."requestId"
  and s.claim_token = :token and s.claim_nonce = :nonce`;

/**
 * SQL: the platform holds the child `s`, or may hold it later, under `:parent`. This includes children that it no
 * longer desires: a child that vanished or moved away may return before anything else of it was sent, and its
 * acknowledged hash would then wrongly show no difference. The parent of an open claim is not stored, so every child
 * whose payload was replaced meanwhile counts. A closed or deleted child is not sent again.
 */
const UNDER_PARENT = `
  (s.parent_platform_id = :parent
    and (s.vanished_at is null or s.claim_token is not null or s.desired_hash is distinct from s.acknowledged_hash))
  or (s.acknowledged_parent_platform_id = :parent and s.acknowledged_parent_platform_id is distinct from s.parent_platform_id)
  or (s.claim_token is not null and s.sent_hash is distinct from s.desired_hash
    and s.parent_platform_id is distinct from :parent)`;

/**
 * The acknowledged hash is that of the payload sent, whatever is desired by now. Only an attempt that was claimed when
 * a confirmation was due confirms. When a parent comes back with another reference, or is deleted, its children are
 * sent again: at the platform they name a parent that no longer exists.
 */
async function recordAccepted(
  statements: Statements,
  update: Update,
  outcomes: readonly OutcomeOf<'accepted'>[],
  timeoutMs: TimeoutMs,
): Promise<void> {
  const written = await update<AcceptedRow>(
    `update :schema:.sync_state s set
       acknowledged_hash = r."hash",
       acknowledged_payload = null,
       acknowledged_parent_platform_id = r."parentPlatformId",
       possible_parents = case when s.confirm_at > s.attempted_at then s.possible_parents end,
       desired_payload = case when ${notRepeatable('s')} and s.desired_hash is not distinct from r."hash" then null else s.desired_payload end,
       acknowledged_reply = nullif(r."details", 'null'), request_open = false,
       acknowledged_at = case when r."control" then s.acknowledged_at else clock_timestamp() end,
       reference = r."reference", remote_id = r."remoteId",
       confirm_at = case when s.confirm_at <= s.attempted_at then null else s.confirm_at end,
       refused_hash = null, attempts = 0, next_attempt_at = null, claim_token = null,
       platform_state = case when r."state" is not null then r."state" when ${STAYS_REMOVED} then s.platform_state end,
       platform_word = case when ${STAYS_REMOVED} then s.platform_word end,
       platform_state_at = case when r."state" is not null then clock_timestamp() when ${STAYS_REMOVED} then s.platform_state_at end,
       last_status_code = r."statusCode", last_error = null, last_reply = r."body"
     from ${FROM_OUTCOMES}
     join :schema:.sync_state old on old.entity = r."entity" and old.key = r."key"
     where ${STILL_OURS}
     returning s.entity, s.key, s.platform_id as "platformId", old.acknowledged_at is not null and old.reference is distinct from s.reference as moved,
       s.desired_hash is distinct from r."hash" and not (${notRepeatable('s')}) as replaced`,
    outcomes.map(({ payload: _, sent: __, ...outcome }) => outcome),
  );
  const replaced = written.filter((row) => row.replaced);
  await keepPayloads(update, outcomes, replaced);
  for (const parent of written.filter(({ moved }) => moved)) {
    for (const { name } of childrenOf(parent.entity)) {
      await statements.query(
        `update :schema:.sync_state s set
           confirm_at = ${confirmLater('s', ':timeout')},
           desired_at = case when s.settled then now() else s.desired_at end,
           acknowledged_hash = null, claim_token = null
         where s.entity = :entity and (${UNDER_PARENT})`,
        { entity: name, parent: parent.platformId, timeout: timeoutMs(name) },
      );
    }
  }
}

/** The payload is kept only where it is no longer the desired one, so the others do not travel back to the database. */
async function keepPayloads(
  update: Update,
  outcomes: readonly OutcomeOf<'accepted'>[],
  replaced: readonly AcceptedRow[],
): Promise<void> {
  const payloads = outcomes
    .filter(({ entity, key }) => replaced.some((row) => row.entity === entity && row.key === key))
    .map(({ entity, key, hash, payload }) => ({ entity, key, hash, payload }));
  await update(
    `update :schema:.sync_state s set acknowledged_payload = r."payload"
     from ${FROM_OUTCOMES} where s.entity = r."entity" and s.key = r."key" and s.acknowledged_hash = r."hash"`,
    payloads,
  );
}

function outcomesOf<K extends Outcome['kind']>(outcomes: readonly Outcome[], kind: K): OutcomeOf<K>[] {
  return outcomes.filter((outcome): outcome is OutcomeOf<K> => outcome.kind === kind);
}

async function recordRefused(update: Update, outcomes: readonly OutcomeOf<'refused'>[]) {
  await update(
    `update :schema:.sync_state s set
       refused_hash = case when s.desired_hash is not distinct from r."hash" then r."hash" else s.refused_hash end,
       claim_token = null, request_open = false, last_status_code = r."statusCode", last_error = r."error",
       last_reply = r."body"
     from ${FROM_OUTCOMES} where ${STILL_OURS}`,
    outcomes,
  );
}

/**
 * Attempts belong to the payload that was sent: a payload desired since then has none. They count only while the
 * platform has not accepted it, and only when the platform was reached: a failed confirmation is deferred any number of
 * times. A failure leaves an earlier attempt under the same Request-Id open, so the id stays in use.
 */
async function recordDeferred(update: Update, outcomes: readonly OutcomeOf<'deferred'>[]) {
  const confirmation = `(r."known" and s.acknowledged_hash is not distinct from s.desired_hash)`;
  const current = `(s.desired_hash is not distinct from r."hash" and not ${confirmation})`;
  const later = `clock_timestamp() + r."delayMs" * interval '1 millisecond'`;
  await update(
    `update :schema:.sync_state s set
       acknowledged_hash = case when r."known" then s.acknowledged_hash end,
       confirm_at = case when ${confirmation} and s.confirm_at is not null then greatest(s.confirm_at, ${later}) when r."known" then s.confirm_at
         else ${confirmLater('s', 'r."timeoutMs"')} end,
       attempts = case when ${current} and r."counts" then s.attempts + 1 else s.attempts end,
       next_attempt_at = case when ${current} then ${later} else s.next_attempt_at end,
       refused_hash = case when ${current} and r."exhausted" then r."hash" else s.refused_hash end,
       claim_token = null, request_open = r."reused" or not r."known", last_status_code = r."statusCode", last_error = r."error",
       last_reply = r."body"
     from ${FROM_OUTCOMES} where ${STILL_OURS}`,
    outcomes,
  );
}

/** Ends the claim and changes nothing else; a reply that does not judge the record is stored for `explain`. */
async function recordHandedBack(update: Update, outcomes: readonly OutcomeOf<'handed-back'>[]) {
  await update(
    `update :schema:.sync_state s set
       claim_token = null, request_open = r."reused" or not r."known",
       acknowledged_hash = case when r."known" then s.acknowledged_hash end,
       confirm_at = case when r."known" then s.confirm_at else ${confirmLater('s', 'r."timeoutMs"')} end,
       attempted_at = case when r."known" and r."tried" is null then r."previousAttemptAt" else s.attempted_at end,
       next_attempt_at = case when r."tried" then clock_timestamp() else s.next_attempt_at end,
       last_status_code = coalesce(r."statusCode", s.last_status_code),
       last_error = coalesce(r."error", s.last_error), last_reply = coalesce(r."body", s.last_reply)
     from ${FROM_OUTCOMES} where ${STILL_OURS}`,
    outcomes.map(({ reply, ...outcome }) => ({ ...outcome, ...reply })),
  );
}
