import { ENTITIES } from '../../core/entities/index.js';
import { appliedMigrations, pendingMigrations } from '../../core/ledger/database/migrate.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import { withoutParticulars } from '../../core/ledger/database/translate-state-error.js';

/** What a support bundle says about the state: versions, sizes, and errors without anything personal. */

/** Longest message that is shown, characters. */
const LONGEST = 300;

/** SQL: null for application statuses, whose messages may name an applicant. */
const MESSAGE = `case when entity <> all(cast(:personal as text[])) then left(${withoutParticulars('last_error')}, ${LONGEST}) end`;
const personal = ENTITIES.filter(({ application }) => application).map(({ name }) => name);

export function createDiagnostics(database: StateDatabase) {
  return {
    async serverVersion() {
      const [row] = await database.query<{ server_version: string }>('show server_version');
      return row?.server_version ?? 'unknown';
    },

    /** Names of migrations that have run, and of those that this version needs besides. */
    async migrations() {
      const applied = await appliedMigrations(database);
      return { applied, pending: await pendingMigrations(database) };
    },

    /** Rows are the planner's estimate (null: never analysed). */
    async tables() {
      const rows = await database.query<{ table: string; rows: number; bytes: string }>(
        `select c.relname as "table", c.reltuples as rows, pg_total_relation_size(c.oid) as bytes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = :name and c.relkind = 'r' order by c.relname`,
        { name: database.schema },
      );
      return rows.map(({ table, rows: estimate, bytes }) => ({
        table,
        rows: estimate < 0 ? null : estimate,
        bytes: Number(bytes),
      }));
    },

    /**
     * Last errors of records that are not settled, by entity, status code and message, the most frequent first. Messages
     * come without quoted text, e-mail addresses, ids and long numbers; application statuses have no message.
     */
    errors: (limit: number) =>
      database.query(
        `select entity, last_status_code as "statusCode", ${MESSAGE} as message, cast(count(*) as integer) as count,
           max(attempted_at) as "lastAt"
         from :schema:.sync_state where not settled and last_error is not null
         group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit :limit`,
        { limit, personal },
      ),

    /** Why records are invalid, by entity, field and code, the most frequent first. */
    issues: (limit: number) =>
      database.query(
        `select entity, issue ->> 'field' as field, issue ->> 'code' as code, cast(count(*) as integer) as count
         from :schema:.sync_state, jsonb_array_elements(invalid_reason) as issue
         where not settled and invalid_reason is not null
         group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit :limit`,
        { limit },
      ),
  };
}
