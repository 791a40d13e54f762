import type { EntityName } from '../../domain/names.js';
import { ABSENT_HASH } from '../../domain/payload.js';
import type { JsonObject } from '../../domain/row.js';
import { entity as entityNamed, operationOf } from '../../entities/index.js';
import type { Fence } from '../../ports/clock.js';
import type { StateDatabase, Statements } from '../database/state-database.js';
import { appendDeliveries, type FinishedRequest } from '../append-deliveries.js';
import { fenceParameters, heldLeaseSql, requireLease, withLease } from '../lease.js';
import {
  childrenFirstSql,
  confirmLater,
  isDeletion,
  joinParent,
  mayBeAbsentSql,
  notRepeatable,
  referenceSql,
  statusSql,
} from '../status-sql.js';
import { createRecordOutcomes } from './record-outcomes.js';
import type { Claim, ControlRecord, QueuePosition, TakeOver } from './types.js';

/** The queue is the ledger itself: every record whose desired hash differs from the acknowledged one. */
export type Queue = ReturnType<typeof createQueue>;

/**
 * The queue of a push. There is no table of its own: what is to be sent follows from the ledger (`statusSql`). A push claims
 * the next records (`createClaim`), sends them and writes what became of each (`createRecordOutcomes`). A probe claims one
 * record whatever its status (`createClaimRecord`). Claims of a push that died are ended by the next one (`takeOver`), which
 * notes their requests as unknown.
 */
export function createQueue(database: StateDatabase) {
  return {
    claim: createClaim(database),
    claimRecord: createClaimRecord(database),
    findControl: createFindControl(database),
    record: createRecordOutcomes(database),

    /**
     * Ends all claims of these entities (null: of all), by any process: their outcome is unknown, also in the journal.
     * For a push that has none of them under way. By any token, too: a database that went back in time has old claims of
     * our own. Gives their number. Errors: SyncError `lease-lost`.
     */
    async takeOver(fence: Fence, among: readonly EntityName[] | null, options: TakeOver) {
      const entities = await database.query<{ entity: EntityName }>(
        `select distinct entity from :schema:.sync_state
         where claim_token is not null ${among === null ? '' : 'and entity = any(:among)'}`,
        { among },
      );
      let ended = 0;
      for (const { entity } of entities) {
        ended += await withLease(database, 'push', fence, (statements) =>
          takeOverClaims(statements, fence, entity, options),
        );
      }
      return ended;
    },

    /**
     * Ends a claim of a record that `mayBeAbsent`, and that the platform does not have: it leaves the ledger. False: it is
     * another record by now, and its claim is open.
     */
    async forget(fence: Fence, { entity, key, requestId }: Pick<Claim, 'entity' | 'key' | 'requestId'>) {
      const rows = await database.query(
        `delete from :schema:.sync_state s where s.entity = :entity and s.key = :key and s.last_request_id = :requestId
           and s.claim_token = :token and s.claim_nonce = :nonce and ${mayBeAbsentSql('s')}
         returning 1`,
        { ...fenceParameters(fence), entity, key, requestId },
      );
      return rows.length > 0;
    },

    /** Gives an attempt back to records that failed only because their whole area did. */
    async forgiveAttempts(entity: EntityName, keys: readonly string[]) {
      await database.query(
        `update :schema:.sync_state s set attempts = greatest(s.attempts - failed.times, 0), refused_hash = null
         from (select key, cast(count(*) as integer) as times from unnest(cast(:keys as text[])) as key group by key) failed
         where s.entity = :entity and s.key = failed.key and s.claim_token is null`,
        { entity, keys },
      );
    },

    /** Those of these entities that have something to send; the one with the longest ago attempt goes first. */
    async leastRecentlyTried(among: readonly EntityName[]): Promise<readonly EntityName[]> {
      const rows = await database.query<{ entity: EntityName }>(
        `select entity from :schema:.sync_state
         where entity = any(:among) and not settled and sendable and claim_token is null
         group by entity order by min(attempted_at), entity`,
        { among },
      );
      return rows.map(({ entity }) => entity);
    },

    /**
     * Milliseconds until the first of these entities' records is due again that were tried at `since` or later and deferred;
     * null: there is none.
     */
    async nextAttemptIn(among: readonly EntityName[], since: string) {
      const [found] = await database.query<{ ms: number | null }>(
        `select cast(extract(epoch from min(s.next_attempt_at) - now()) * 1000 as double precision) as ms
         from :schema:.sync_state s ${joinParent('s', 'p')}
         where s.entity = any(:among) and not s.settled and s.sendable and s.claim_token is null
           and s.attempted_at >= cast(:since as timestamptz) and ${statusSql('s', 'p')} = 'deferred'`,
        { among, since },
      );
      return found?.ms ?? null;
    },

    /** Milliseconds until the first record may be claimed that waits for its parent to settle; null: there is none. */
    async nextSettledIn(entity: EntityName, parentSettleMs: number) {
      const [found] = await database.query<{ ms: number | null }>(
        `select cast(extract(epoch from min(p.acknowledged_at) - now()) * 1000 as double precision) as ms
         from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and s.sendable and s.claim_token is null and not ${isDeletion('s')}
           and ${SETTLING} and ${statusSql('s', 'p')} = 'pending'`,
        { entity, settle: parentSettleMs },
      );
      return found?.ms === null || found === undefined ? null : Math.max(found.ms + parentSettleMs, 0);
    },

    /** Makes deferred records due now that used up no attempt: not they were to blame. */
    async retryBlameless(entity: EntityName) {
      // Not null: they have been tried, so a probe of the stopped area prefers others.
      await database.query(
        `update :schema:.sync_state set next_attempt_at = clock_timestamp()
         where entity = :entity and not settled and sendable and claim_token is null
           and attempts = 0 and next_attempt_at > now()`,
        { entity },
      );
    },
  };
}

/** SQL: the parent in alias `p` was accepted so lately that the platform may not know it everywhere. */
const SETTLING = `coalesce(p.acknowledged_at > now() - :settle * interval '1 millisecond', false)`;

interface ClaimedRow extends Omit<Claim, 'parent' | 'previousOutcome'> {
  readonly hasParent: boolean;
  readonly parentReference: string | number | null;
  readonly parentPayload: JsonObject | null;
  readonly previousOutcome: 'accepted' | 'deferred' | null;
}

interface ClaimOptions {
  readonly fence: Fence;
  readonly entity: EntityName;
  readonly position: QueuePosition | null;
  /** Only records that the platform has accepted before: changes and closings, not new ones. */
  readonly changesOnly?: boolean;
  readonly limit: number;
  /** False: without records that are to be deleted. */
  readonly deletions: boolean;
  /** Only records whose payload has not failed yet. */
  readonly untried?: boolean;
  /** The one whose last attempt is the longest ago goes first. */
  readonly oldestFirst?: boolean;
  /** Also records that are deferred until later; the one whose last attempt is the longest ago goes first. */
  readonly evenDeferred?: boolean;
  /** Only this record. */
  readonly key?: string;
  /** `claimedAt` of the first claim of this push; null: it has none yet. */
  readonly since: string | null;
  /** Without records whose parent was accepted within this many milliseconds; absent: 0. */
  readonly parentSettleMs?: number;
}

/**
 * Claims the next pending records after `position`, changes before new; committed when this resolves. A child waits while
 * its parent's own request is under way, so that it never contains a parent that is being replaced. Errors: SyncError
 * `lease-lost` when there is no claim because the push lease is lost.
 */
function createClaim(database: StateDatabase) {
  return async (request: ClaimOptions): Promise<readonly Claim[]> => {
    const { fence, entity, position, limit, deletions, since, key } = request;
    const { changesOnly = false, untried = false, evenDeferred = false, parentSettleMs = 0 } = request;
    const { oldestFirst = evenDeferred } = request;
    const rows = await database.query<ClaimedRow>(
      `with push as materialized (
         select 1 from :schema:.lease where ${heldLeaseSql('push')} for key share
       ), candidate as materialized (
         select s.key, s.unacknowledged, s.attempted_at, s.acknowledged_at, s.next_attempt_at, p.entity is not null as has_parent,
           (${notRepeatable('s')} and s.request_open and s.sent_hash = s.desired_hash and s.last_request_id is not null) as reused,
           ${referenceSql('p')} as parent_reference, coalesce(p.acknowledged_payload, p.desired_payload) as parent_payload
         from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and s.sendable and s.claim_token is null and p.claim_token is null
           ${position ? 'and (s.unacknowledged, s.key) > (cast(:unacknowledged as boolean), :key)' : ''}
           ${deletions ? '' : `and not ${isDeletion('s')}`}
           ${key === undefined ? '' : 'and s.key = :only'}
           ${changesOnly ? 'and not s.unacknowledged' : ''}
           ${untried ? 'and s.next_attempt_at is null' : ''}
           ${parentSettleMs > 0 ? `and (p.entity is null or ${isDeletion('s')} or not ${SETTLING})` : ''}
           and ${statusSql('s', 'p')} ${evenDeferred ? `in ('pending', 'deferred')` : `= 'pending'`} and not ${childrenFirstSql('s')}
           and (s.desired_payload is not null or ${isDeletion('s')})
           and exists (select 1 from push)
         order by ${oldestFirst ? 's.attempted_at, ' : ''}s.unacknowledged, s.key limit :limit
         for update of s skip locked
       )
       update :schema:.sync_state s
       set claim_token = :token, attempted_at = now(), claim_nonce = :nonce, sent_hash = s.desired_hash, request_open = true,
         last_request_id = case when c.reused then s.last_request_id else cast(gen_random_uuid() as text) end
       from candidate c
       where s.entity = :entity and s.key = c.key
       returning s.entity, s.key, s.platform_id as "platformId", s.last_request_id as "requestId", cast(s.attempted_at as text) as "claimedAt", c.reused,
         s.desired_hash as hash, s.desired_payload as payload, s.attempts, c.unacknowledged,
           s.parent_platform_id as "parentPlatformId",
           s.acknowledged_hash is not distinct from s.desired_hash as confirming,
           cast(extract(epoch from clock_timestamp() - s.desired_at) * 1000 as double precision) as "pendingMs",
           s.vanished_at is not null and coalesce(s.platform_state, '') in ('refused', 'removed') as "takenDown",
           ${mayBeAbsentSql('s')} as "mayBeAbsent",
         cast(c.attempted_at as text) as "previousAttemptAt",
         c.next_attempt_at is not null and exists (select 1 from :schema:.area_state a
           where a.area = :area and a.answered_at > c.attempted_at) as "failsAlone",
         case when c.attempted_at >= cast(:since as timestamptz) and c.next_attempt_at is not null then 'deferred'
           when c.acknowledged_at >= cast(:since as timestamptz) then 'accepted' end as "previousOutcome",
         c.has_parent as "hasParent", c.parent_reference as "parentReference", c.parent_payload as "parentPayload"`,
      {
        ...fenceParameters(fence),
        entity,
        area: entityNamed(entity).area,
        limit,
        since,
        only: key ?? '',
        settle: parentSettleMs,
        unacknowledged: position?.unacknowledged ?? false,
        key: position?.key ?? '',
      },
    );
    if (rows.length === 0) await requireLease(database, 'push', fence);
    return rows.map<Claim>(withParent).sort(byPosition);
  };
}

function withParent<T extends Pick<ClaimedRow, 'hasParent' | 'parentReference' | 'parentPayload'>>({
  hasParent,
  parentReference,
  parentPayload,
  ...claim
}: T) {
  const parent =
    hasParent && parentReference !== null && parentPayload !== null
      ? { reference: parentReference, payload: parentPayload }
      : null;
  return { ...claim, parent };
}

/** An update returns its rows in any order. */
function byPosition(a: Claim, b: Claim): number {
  if (a.unacknowledged !== b.unacknowledged) return a.unacknowledged ? 1 : -1;
  return Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
}

type RecordClaim = Pick<Claim, 'entity' | 'key' | 'requestId' | 'hash' | 'payload'> & {
  readonly fence: Fence;
};

/**
 * Claims one record that is in the ledger, whatever its status, to send this payload, which need not be the desired one,
 * under this Request-Id; committed when this resolves. From then on it is protected like every claim: until an outcome is
 * written, nobody may rely on what the platform holds of it. Null: it is not there, or claimed. Its `parent` is null.
 * Errors: SyncError `lease-lost`.
 */
function createClaimRecord(database: StateDatabase) {
  return async ({ fence, entity, key, requestId, hash, payload }: RecordClaim): Promise<Claim | null> => {
    const [claimed] = await database.query<
      Omit<Claim, 'parent' | 'previousOutcome' | 'reused' | 'hash' | 'payload' | 'failsAlone'>
    >(
      `with record as materialized (
         select s.key, s.attempted_at, s.unacknowledged from :schema:.sync_state s
         where s.entity = :entity and s.key = :key and s.claim_token is null
           and exists (select 1 from :schema:.lease where ${heldLeaseSql('push')})
         for update of s
       )
       update :schema:.sync_state s
       set claim_token = :token, claim_nonce = :nonce, attempted_at = now(), sent_hash = :hash,
         request_open = true, last_request_id = :requestId
       from record r
       where s.entity = :entity and s.key = r.key
       returning s.entity, s.key, s.platform_id as "platformId", s.last_request_id as "requestId",
         cast(s.attempted_at as text) as "claimedAt", s.attempts, r.unacknowledged,
         s.acknowledged_hash is not distinct from s.sent_hash as confirming,
         s.parent_platform_id as "parentPlatformId", cast(r.attempted_at as text) as "previousAttemptAt"`,
      { ...fenceParameters(fence), entity, key, requestId, hash },
    );
    if (claimed === undefined) {
      await requireLease(database, 'push', fence);
      return null;
    }
    const none = { reused: false, failsAlone: false, parent: null, previousOutcome: null };
    return { ...claimed, hash, payload, ...none };
  };
}

/**
 * A record that can be a control, and which of the entities `among` have something that was accepted. It is the record that
 * was accepted last, the last reply to it being an acceptance if possible; one that nobody has claimed before one that has
 * just been refused. Rejected, failing, vanished and doubtful ones are none.
 */
function createFindControl(database: StateDatabase) {
  return async (
    entity: EntityName,
    among: readonly EntityName[],
  ): Promise<{ readonly control: ControlRecord | null; readonly accepted: readonly EntityName[] }> => {
    const accepted = await database.query<{ entity: EntityName }>(
      `select name as entity from unnest(cast(:among as text[])) as name where exists (
         select 1 from :schema:.sync_state s where s.entity = name and s.acknowledged_at is not null)`,
      { among },
    );
    const payload = `case when s.acknowledged_hash = s.desired_hash then s.desired_payload else s.acknowledged_payload end`;
    const [found] = await database.query<
      Pick<ClaimedRow, 'key' | 'hash' | 'payload' | 'hasParent' | 'parentReference' | 'parentPayload'>
    >(
      `select s.key, s.acknowledged_hash as hash, ${payload} as payload, p.entity is not null as "hasParent",
         ${referenceSql('p')} as "parentReference", coalesce(p.acknowledged_payload, p.desired_payload) as "parentPayload"
       from :schema:.sync_state s ${joinParent('s', 'p', entity)}
       where s.entity = :entity and s.acknowledged_hash <> '${ABSENT_HASH}' and s.confirm_at is null and s.vanished_at is null
         and s.attempts = 0 and s.refused_hash is distinct from s.desired_hash and ${payload} is not null
         and coalesce(s.platform_state, 'live') in ('live', 'pending')
         and s.acknowledged_parent_platform_id is not distinct from s.parent_platform_id
         and (s.parent_platform_id is null or (p.claim_token is null and p.reference is not null))
       order by s.claim_token is null desc, s.last_status_code between 200 and 299 desc nulls last, s.acknowledged_at desc
       limit 1`,
      { entity },
    );
    return {
      control: found === undefined ? null : withParent(found),
      accepted: accepted.map((row) => row.entity),
    };
  };
}

interface TakenOverRow extends Pick<
  FinishedRequest,
  'key' | 'platformId' | 'parentPlatformId' | 'payloadHash'
> {
  readonly claimedAt: string | null;
  readonly requestId: string | null;
  readonly unacknowledged: boolean;
  readonly payload: JsonObject | null;
}

const REASON = 'The process ended before it wrote the outcome.';

/**
 * Ends all claims of an entity, and notes their requests as `unknown`: nobody knows whether they left, and what the
 * platform did. For a transaction that holds the push lease. Gives their number.
 */
async function takeOverClaims(
  statements: Statements,
  fence: Fence,
  entity: EntityName,
  { timeoutMs, kindOf }: TakeOver,
): Promise<number> {
  const claims = await statements.query<TakenOverRow>(
    `update :schema:.sync_state s set
       confirm_at = ${confirmLater('s', ':timeout')}, acknowledged_hash = null, claim_token = null
     where s.entity = :entity and s.claim_token is not null
     returning s.key, s.platform_id as "platformId", s.parent_platform_id as "parentPlatformId",
       s.sent_hash as "payloadHash", cast(s.attempted_at as text) as "claimedAt", s.last_request_id as "requestId", s.unacknowledged,
       case when s.sent_hash = s.desired_hash then s.desired_payload end as payload`,
    { entity, timeout: timeoutMs(entity) },
  );
  const requests = claims.flatMap(
    ({ requestId, claimedAt, unacknowledged, payload, ...claim }): FinishedRequest[] => {
      if (requestId === null || claimedAt === null) return [];
      const kind = kindOf(entity, { hash: claim.payloadHash, payload, unacknowledged });
      const { operation } = operationOf(entityNamed(entity), claim.payloadHash);
      const ending = { statusCode: null, outcome: 'unknown', reason: REASON } as const;
      return [{ entity, ...claim, requestId, claimedAt, kind, operation, ...ending }];
    },
  );
  await appendDeliveries(statements, { fence, runId: null }, requests);
  return claims.length;
}
