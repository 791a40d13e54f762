import type { EntityName } from '../../domain/entity-name.js';
import type { Issue } from '../../domain/issue.js';
import type { RecordStatus } from '../../domain/record-status.js';
import type { ListedRecord, RecordLists } from '../../ports/record-lists.js';
import { isAboutApplications } from '../../entities/index.js';
import { recordName } from '../../entities/record-name.js';
import { uuidText } from '../../domain/key/uuid-text.js';
import { invalidReasons, rejectedReasons } from './reasons.js';
import type { StateDatabase } from '../database/state-database.js';
import { joinParent, statusSql } from './status-sql.js';

/**
 * SQL: a condition that all records of that status meet and that an index has. Without it the search for a few rejected
 * records would read a million pending ones.
 */
const NARROWED: Readonly<Record<RecordStatus, string>> = {
  vanished: 'not s.settled and s.vanished_at is not null',
  invalid: 'not s.settled and s.invalid_reason is not null',
  rejected: 'not s.settled and s.refused_hash is not null',
  waiting: 's.sendable and s.parent_platform_id is not null',
  deferred: 's.sendable and s.next_attempt_at is not null',
  pending: 's.sendable',
  // A confirmation that is not due yet is synced too, and such a record is not settled.
  synced: 's.acknowledged_hash is not null',
};

interface ListedRow extends Omit<ListedRecord, 'issues'> {
  issues: readonly Issue[] | null;
  platformId: string;
}

export function createRecordLists(database: StateDatabase): RecordLists {
  return {
    page: async (entity, status, { after, limit }) => {
      const rows = await database.query<ListedRow>(
        `select s.key, s.platform_id as "platformId", ${statusSql('s', 'p')} as status, s.invalid_reason as issues, s.last_error as "lastError",
           s.last_status_code as "lastStatusCode", s.attempted_at as "attemptedAt", s.acknowledged_at as "acknowledgedAt",
           s.next_attempt_at as "nextAttemptAt", p.key as "parentKey"
         from :schema:.sync_state s ${joinParent('s', 'p', entity)}
         where s.entity = :entity and ${NARROWED[status]} ${after === null ? '' : 'and s.key > :after'}
           and ${statusSql('s', 'p')} = :status
         order by s.key limit :limit`,
        { entity, status, after: after === null ? null : await keyOfName(database, entity, after), limit },
      );
      return rows.map(({ issues, platformId, ...row }) => ({
        ...row,
        key: recordName(entity, row.key, platformId),
        issues: issues ?? [],
      }));
    },

    invalidReasons: (entity, limit) => invalidReasons(database, entity, limit),
    rejectedReasons: (entity, limit) => rejectedReasons(database, entity, limit),
  };
}

/** The key of the record with this `recordName`; a text that names none is returned unchanged. */
async function keyOfName(database: StateDatabase, entity: EntityName, name: string): Promise<string> {
  if (!isAboutApplications(entity)) return name;
  const [row] = await database.query<{ key: string }>(
    'select key from :schema:.sync_state where entity = :entity and platform_id = cast(:uuid as uuid)',
    { entity, uuid: uuidText(name) },
  );
  return row?.key ?? name;
}
