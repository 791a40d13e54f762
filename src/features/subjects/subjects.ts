import type { StateDatabase, Statements } from '../../core/ledger/database/state-database.js';
import { isOfPerson } from '../../core/ledger/status-sql.js';

/**
 * What the schema holds of one person, for `subject export` and `subject erase`: the applications with the address or the id,
 * in all their versions, the bodies that were not recognised and say one of them, what the ledger and its journal have under
 * the ids of these applications, and what operators named or wrote. `erase` removes it in one transaction.
 */

/** Whom a request is about: everything of an e-mail address, in any case; or one application, by its id at the platform. */
export type Subject = { readonly email: string } | { readonly applicationId: string };

/** Numbers of rows by table. */
type RowCounts = Readonly<Record<string, number>>;

export interface Erasure {
  readonly removed: RowCounts;
  /** Rows that stay, without what they said of the person. */
  readonly blanked: RowCounts;
}

/** Errors: SyncError `state-unavailable`, `state-failed`. */
export type Subjects = ReturnType<typeof createSubjects>;

interface Traces {
  /** Ids of applications. The ledger has those that are UUIDs. */
  readonly refs: readonly string[];
  /** Rows of the inbox. */
  readonly inboxIds: readonly string[];
  /** The address and the ids that are UUIDs, as regular expressions of Postgres; a number may stand for anything. */
  readonly patterns: readonly string[];
}

export function createSubjects(database: StateDatabase) {
  return {
    /** Rows as the tables have them. */
    async read(subject: Subject) {
      const traces = await find(database, subject);
      const rows = async (table: string, condition: string, order: string) =>
        (
          await database.query<{ row: Record<string, unknown> }>(
            `select to_jsonb(t) as row from :schema:.${table} t where ${condition} order by ${order}`,
            { ...traces },
          )
        ).map(({ row }) => row);
      return {
        job_application: await rows('job_application', OF_INBOX, 't.id'),
        unstored_webhook: await rows('unstored_webhook', OF_UNSTORED, 't.first_at'),
        sync_state: await rows('sync_state', OF_LEDGER, 't.key'),
        delivery: await rows('delivery', OF_LEDGER, 't.answered_at'),
        operator_action: await rows('operator_action', OF_OPERATORS, 't.id'),
      };
    },

    /** In one transaction, also while a worker runs. `dryRun`: only counts. */
    async erase(subject: Subject, { dryRun }: { readonly dryRun: boolean }) {
      const traces = await find(database, subject);
      return database.transaction(async (statements) => {
        if (dryRun) await statements.query('savepoint as_it_is');
        // Whoever writes an outcome has ended before, or sees that the record is gone.
        else
          await statements.query(
            'lock table :schema:.delivery, :schema:.sync_state in share row exclusive mode',
          );
        const counts = await remove(statements, traces);
        if (dryRun) await statements.query('rollback to savepoint as_it_is');
        return counts;
      });
    },
  };
}

const OF_INBOX = `t.id = any(cast(:inboxIds as bigint[]))`;
const OF_UNSTORED = `t.webhook = any(cast(:refs as text[]))`;
const OF_LEDGER = `${isOfPerson('t')} and cast(t.platform_id as text) = any(cast(:refs as text[]))`;
const OF_OPERATORS = `concat_ws(' ', array_to_string(t.keys, ' '), t.reason) ~* any(cast(:patterns as text[]))`;

async function find(database: StateDatabase, subject: Subject): Promise<Traces> {
  const email = 'email' in subject ? subject.email : null;
  const asked = 'applicationId' in subject ? [subject.applicationId] : [];
  // With all versions: the platform may have corrected the address in a later one.
  const applications = await database.query<{ id: string; ref: string }>(
    `select cast(a.id as text) as id, a.application_ref as ref from :schema:.job_application a
     where a.application_ref in (
       select b.application_ref from :schema:.job_application b
       where lower(b.email) = lower(cast(:email as text)) or b.application_ref = any(cast(:asked as text[])))`,
    { email, asked },
  );
  const refs = [...new Set([...asked, ...applications.map(({ ref }) => ref)])];
  const patterns = [...(email === null ? [] : [email]), ...refs.filter((ref) => ref.includes('-'))].map(
    whole,
  );
  const unrecognised = await database.query<{ id: string }>(
    `select cast(a.id as text) as id from :schema:.job_application a
     where a.application_ref is null and a.body ~* any(cast(:patterns as text[]))`,
    { patterns },
  );
  return {
    refs,
    inboxIds: [...applications, ...unrecognised].map(({ id }) => id),
    patterns,
  };
}

/** As a whole: `a@b.co` is not in `a@b.com`. In JSON, a line feed before it is written with a letter. */
function whole(text: string): string {
  const escaped = text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return `(?:(?<![a-zA-Z0-9_.%+-])|\\\\[nrtbf])${escaped}(?![a-zA-Z0-9_-]|\\.[a-zA-Z0-9_])`;
}

async function remove(statements: Statements, traces: Traces): Promise<Erasure> {
  const count = async (sql: string) => (await statements.query(`${sql} returning 1`, { ...traces })).length;
  const removed = {
    job_application: await count(`delete from :schema:.job_application t where ${OF_INBOX}`),
    unstored_webhook: await count(`delete from :schema:.unstored_webhook t where ${OF_UNSTORED}`),
    sync_state: await count(`delete from :schema:.sync_state t where ${OF_LEDGER}`),
    delivery: await count(`delete from :schema:.delivery t where ${OF_LEDGER}`),
  };
  const operator_action = await count(
    `update :schema:.operator_action t set
       keys = array(select ${blanked('key')} from unnest(t.keys) with ordinality named(key, place) order by place),
       reason = ${blanked('t.reason')}
     where ${OF_OPERATORS}`,
  );
  return { removed, blanked: { operator_action } };
}

/** SQL: the text without what the patterns find. */
const blanked = (text: string) =>
  `regexp_replace(${text}, array_to_string(cast(:patterns as text[]), '|'), '[erased]', 'gi')`;
