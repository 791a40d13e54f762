import type { Issue } from '../../core/domain/issue.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import type { PlatformState, ShownState } from '../../core/domain/reply/reply.js';
import type { JsonObject } from '../../core/domain/row.js';
import { uuidText } from '../../core/domain/key.js';
import { ENTITIES } from '../../core/entities/index.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import {
  DRIFTED,
  type EndingEntity,
  joinParent,
  referenceSql,
  statusSql,
} from '../../core/ledger/status-sql.js';

export interface RecordView {
  readonly entity: EntityName;
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  readonly reference: string | null;
  readonly remoteId: string | null;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly desiredHash: string | null;
  readonly desiredPayload: JsonObject | null;
  readonly acknowledgedHash: string | null;
  readonly acknowledgedAt: Date | null;
  /** When it was read back last; null: never. */
  readonly lookedAt: Date | null;
  /** A read-back found that the platform lacks it or holds another, and has not got it since. */
  readonly drifted: boolean;
  readonly invalidReason: readonly Issue[] | null;
  readonly vanishedAt: Date | null;
  /** What the platform shows of it since then; null: nothing is known. */
  readonly atPlatform: (ShownState & { readonly since: Date }) | null;
  /** It vanished when its last day was over. */
  readonly expired: boolean;
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly confirmAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly claimed: boolean;
  readonly lastReply: {
    readonly statusCode: number | null;
    readonly requestId: string | null;
    readonly error: string | null;
    /** The beginning of the body of a reply that did not accept it or has warnings, personal data masked. */
    readonly body: string | null;
  } | null;
  /** Of a child: its parent as the ledger knows it; null when it is not there. */
  readonly parent: {
    readonly key: string;
    readonly status: RecordStatus;
    readonly reference: string | number | null;
    readonly payload: JsonObject | null;
  } | null;
}

interface RecordRow extends Omit<RecordView, 'lastReply' | 'parent' | 'atPlatform'>, ParentRow {
  platformState: PlatformState | null;
  platformWord: string | null;
  platformStateAt: Date | null;
  lastStatusCode: number | null;
  lastRequestId: string | null;
  lastError: string | null;
  lastBody: string | null;
}

interface ParentRow {
  parentKey: string | null;
  parentStatus: RecordStatus;
  parentReference: string | number | null;
  parentPayload: RecordView['desiredPayload'];
}

/** No parent has a parent (yet), so its status needs no further join. */
const PARENT_COLUMNS = `p.key as "parentKey", ${referenceSql('p')} as "parentReference", ${statusSql('p', 'pp')} as "parentStatus",
  case when p.acknowledged_at is not null then coalesce(p.acknowledged_payload, p.desired_payload) end as "parentPayload"`;

export type RecordViews = ReturnType<typeof createRecordViews>;

/** One record with all that is known of it, its parent, and which records expire: for a person who asks. */
export function createRecordViews(database: StateDatabase) {
  return {
    /** By key; a UUID also by platform id, so that its case does not matter. */
    async find(entity: EntityName, key: string): Promise<RecordView | null> {
      const [row] = await database.query<RecordRow>(
        `select s.entity, s.key, s.platform_id as "platformId", ${statusSql('s', 'p')} as status, s.reference,
           s.remote_id as "remoteId", s.parent_platform_id as "parentPlatformId", s.row_version as "rowVersion",
           s.desired_hash as "desiredHash", s.desired_payload as "desiredPayload",
           s.acknowledged_hash as "acknowledgedHash", s.acknowledged_at as "acknowledgedAt",
           s.looked_at as "lookedAt", (${DRIFTED}) as drifted, s.invalid_reason as "invalidReason", s.vanished_at as "vanishedAt", s.expired, s.attempts, s.attempted_at as "attemptedAt",
           s.confirm_at as "confirmAt", s.next_attempt_at as "nextAttemptAt", s.claim_token is not null as claimed,
           s.last_status_code as "lastStatusCode", s.last_request_id as "lastRequestId", s.last_error as "lastError",
           s.last_reply as "lastBody", s.platform_state as "platformState", s.platform_word as "platformWord",
           s.platform_state_at as "platformStateAt", ${PARENT_COLUMNS}
         from :schema:.sync_state s ${joinParent('s', 'p')} ${joinParent('p', 'pp')}
         where s.entity = :entity and (s.key = :key or s.platform_id = cast(:uuid as uuid))
         order by s.key = :key desc limit 1`,
        { entity, key, uuid: uuidText(key) },
      );
      if (!row) return null;
      const { lastStatusCode, lastRequestId, lastError, lastBody, ...rest } = row;
      const { parentKey, parentStatus, parentReference, parentPayload, ...others } = rest;
      const { platformState: state, platformWord: word, platformStateAt: since, ...view } = others;
      const answered = lastRequestId !== null || lastStatusCode !== null || lastError !== null;
      const lastReply = {
        statusCode: lastStatusCode,
        requestId: lastRequestId,
        error: lastError,
        body: lastBody,
      };
      const parent = parentOf({ parentKey, parentStatus, parentReference, parentPayload });
      const atPlatform = state === null || since === null ? null : { state, word, since };
      return { ...view, atPlatform, lastReply: answered ? lastReply : null, parent };
    },

    /** The parent of a record that is not in the ledger yet. */
    async parent(entity: EntityName, platformId: string) {
      const parentEntity = ENTITIES.find(({ name }) => name === entity)?.parent?.entity ?? null;
      const [row] = await database.query<ParentRow>(
        `select ${PARENT_COLUMNS} from :schema:.sync_state p ${joinParent('p', 'pp')}
         where p.entity = :parentEntity and p.platform_id = :platformId`,
        { parentEntity, platformId },
      );
      return row ? parentOf(row) : null;
    },

    /**
     * Records in the source whose last day is between two days, `YYYY-MM-DD`, and that are not closed; the soonest
     * first. None of an entity that has no last day.
     */
    async expiring(
      { name: entity, lastDay, statusField, closedStatus }: EndingEntity,
      { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
    ) {
      if (lastDay === null) return [];
      return database.query<{ readonly key: string; readonly lastDay: string }>(
        `select key, desired_payload ->> :lastDay as "lastDay" from :schema:.sync_state
         where entity = :entity and vanished_at is null and invalid_reason is null
           and desired_payload ->> :lastDay between :from and :to
           ${statusField === null ? '' : 'and desired_payload ->> :statusField is distinct from :closedStatus'}
         order by 2, key limit :limit`,
        { entity, lastDay, statusField, closedStatus, from, to, limit },
      );
    },
  };
}

function parentOf(row: ParentRow): RecordView['parent'] {
  const { parentKey, parentStatus, parentReference, parentPayload } = row;
  if (parentKey === null) return null;
  return { key: parentKey, status: parentStatus, reference: parentReference, payload: parentPayload };
}
