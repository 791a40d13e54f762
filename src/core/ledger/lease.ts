import { escapeIdentifier } from 'pg';
import { SyncError } from '../domain/errors.js';
import { compareUtf8 } from '../domain/key.js';
import type { EntityName } from '../domain/names.js';
import { ENTITIES } from '../entities/index.js';
import type { Fence, Lease, LeaseHolder, LeaseName } from '../ports/clock.js';
import type { StateDatabase, Statements } from './database/state-database.js';
import { confirmLater } from './status-sql.js';

/**
 * Who sweeps and who pushes. A lease is a row that its holder renews and that ends by itself. `acquire` takes a free one,
 * and both `acquire` and `renew` notice a database that went back in time: fewer renewals than were seen, or another copy
 * of it (`readOrigin`). Then nobody knows what the platform holds, and the doubt is stored. Every statement of a holder
 * names its fence (`heldLeaseSql`); after one that changed nothing, `requireLease` finds out whether the lease is lost. A
 * transaction of several statements holds the lease until its end (`withLease`).
 */

/**
 * Named rows; times are the database's clock. Taking or renewing a lease also checks whether the database went back in
 * time (the row is older than this process has seen it, or comes from another copy), and stores the doubt for all
 * entities.
 */
export type Leases = ReturnType<typeof createLeases>;

type Acquired = { readonly taken: AcquiredRow } | { readonly heldBy: LeaseHolder };

interface AcquiredRow {
  token: string;
  nonce: string;
  renewals: string;
  /** Milliseconds. */
  formerTtl: number;
  idle: number | null;
  /** The database has fewer renewals than were seen: it went back in time. */
  behind: boolean;
  /** It is another copy than before. */
  elsewhere: boolean;
  /** The other lease was taken in this copy before, and the doubt was stored then. */
  known: boolean;
}

interface RenewedRow {
  readonly renewals: string;
  /** The lease was taken in another copy of the database. */
  readonly elsewhere: boolean;
}

const RENEWED = `cast(renewals as text) as renewals, coalesce(origin <> :origin, false) as elsewhere`;

/** Leases as rows: a session's advisory lock would stay behind in a pooler. */
export function createLeases(database: StateDatabase) {
  /** The highest `renewals` of each lease that this process saw: a database with fewer went back in time. */
  const seen = new Map<LeaseName, bigint>();
  const seenOf = (name: LeaseName) => seen.get(name) ?? 0n;

  return {
    /** The lease, or who holds it; its remaining time never exceeds its time to live. */
    async acquire(name: LeaseName, holder: string, ttlMs: number) {
      const origin = await readOrigin(database);
      let acquired: Acquired;
      try {
        acquired = await database.transaction((statements) =>
          acquireRow(statements, name, { holder, ttl: ttlMs, origin, seen: String(seenOf(name)) }),
        );
      } catch (error) {
        // Its holder was stopped inside a transaction, which the database ends soon.
        if (!isLockTimeout(error)) throw error;
        return { heldBy: await heldBy(database, name) };
      }
      if ('heldBy' in acquired) return acquired;
      const { token, nonce, renewals, formerTtl, idle, behind, elsewhere } = acquired.taken;
      seen.set(name, BigInt(renewals));
      return {
        lease: {
          name,
          fence: { token: BigInt(token), nonce },
          idleMs: behind || elsewhere ? -Math.max(formerTtl, ttlMs) : idle,
        },
      };
    },

    /** False: it is no longer ours, or the database went back in time. */
    async renew({ name, fence }: Lease, ttlMs: number) {
      // Read now: several renewals may be under way, and their answers may come in any order.
      const known = seenOf(name);
      // A fail-over may lose less than one renewal, and then changes only this.
      const origin = await readOrigin(database);
      // One transaction: a step back that is seen but not stored would never be seen again.
      const { held, renewals, wentBack } = await database.transaction(async (statements) => {
        const [renewed] = await statements.query<RenewedRow>(
          `update :schema:.lease set expires_at = ${fromNow(':ttl')}, ttl_ms = :ttl, renewals = renewals + 1
           where ${heldLeaseSql(name)} returning ${RENEWED}`,
          { ...fenceParameters(fence), ttl: ttlMs, origin },
        );
        const [row] = renewed
          ? [renewed]
          : await statements.query<RenewedRow>(`select ${RENEWED} from :schema:.lease where name = :name`, {
              name,
              origin,
            });
        const found = BigInt(row?.renewals ?? 0);
        const back = (renewed ? found - 1n : found) < known || row?.elsewhere === true;
        if (back) await noteDoubt(statements);
        return { held: renewed !== undefined, renewals: found, wentBack: back };
      });
      if (wentBack || renewals > seenOf(name)) seen.set(name, renewals);
      return held && !wentBack;
    },

    /** Who holds which now. */
    holders: () =>
      database.query<LeaseHolder>(
        `select name, holder, cast(ceil(extract(epoch from expires_at - clock_timestamp())) as integer) as "secondsLeft"
         from :schema:.lease where expires_at > clock_timestamp() order by name desc`,
      ),

    async release({ name, fence }: Lease) {
      await database.query(
        `update :schema:.lease set expires_at = clock_timestamp() where ${heldLeaseSql(name)}`,
        fenceParameters(fence),
      );
    },
  };
}

/**
 * Which copy of the state database this is: the server's own number and its timeline, which a fail-over and a restore to
 * a point in time change; the database and the table `lease`, which a restored dump creates again. Null: the server
 * does not show it, because its users may not call such functions.
 */
async function readOrigin(database: StateDatabase): Promise<string | null> {
  try {
    const [row] = await database.query<{ origin: string | null }>(
      `select concat_ws('/', (select system_identifier from pg_control_system()),
         substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
         (select oid from pg_database where datname = current_database()),
         cast(to_regclass(:lease) as oid)) as origin`,
      { lease: `${escapeIdentifier(database.schema)}.lease` },
    );
    return row?.origin ?? null;
  } catch (error) {
    if (error instanceof SyncError && error.code === 'state-failed') return null;
    throw error;
  }
}

async function acquireRow(
  statements: Statements,
  name: LeaseName,
  parameters: {
    readonly holder: string;
    readonly ttl: number;
    readonly origin: string | null;
    /** Renewals that this process knows of. */
    readonly seen: string;
  },
): Promise<Acquired> {
  await statements.query(`select set_config('lock_timeout', '3s', true)`);
  await statements.query(
    `insert into :schema:.lease (name, token, holder, expires_at) values (:name, 0, '', '-infinity') on conflict do nothing`,
    { name },
  );
  // Locks the row first, then judges it, so that of two processes one sees the other.
  await statements.query('select 1 from :schema:.lease where name = :name for update', { name });
  // The clock was set back, or the writer's clock was ahead: no lease lasts longer than its time to live.
  await statements.query(
    `update :schema:.lease set expires_at = ${fromNow('ttl_ms')} where name = :name and expires_at > ${fromNow('ttl_ms')}`,
    { name },
  );
  const [taken] = await statements.query<AcquiredRow>(
    `update :schema:.lease l
     set token = l.token + 1, nonce = gen_random_uuid(), holder = :holder, expires_at = ${fromNow(':ttl')},
       ttl_ms = :ttl, renewals = l.renewals + 1, origin = coalesce(:origin, l.origin)
     from :schema:.lease old
     where l.name = :name and old.name = l.name and l.expires_at <= clock_timestamp()
     returning cast(l.token as text) as token, cast(l.nonce as text) as nonce, cast(l.renewals as text) as renewals,
       coalesce(old.ttl_ms, :ttl) as "formerTtl", old.renewals < cast(:seen as bigint) as behind,
       coalesce(old.origin <> l.origin, false) as elsewhere,
       exists (select 1 from :schema:.lease o where o.name <> l.name and o.origin = l.origin) as known,
       case when old.token > 0 then cast(extract(epoch from clock_timestamp() - old.expires_at) * 1000 as double precision) end as idle`,
    { ...parameters, name },
  );
  if (!taken) return { heldBy: await heldBy(statements, name) };
  // In the same transaction: after the acquisition the row no longer shows it.
  if (taken.behind || (taken.elsewhere && !taken.known)) await noteDoubt(statements);
  return { taken };
}

/** SQL: a time to live from now on. */
const fromNow = (ttlMs: string) => `clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;

async function heldBy(statements: Statements, name: LeaseName): Promise<LeaseHolder> {
  const [holding] = await statements.query<{ holder: string; seconds: number }>(
    `select holder, cast(ceil(extract(epoch from expires_at - clock_timestamp())) as integer) as seconds
     from :schema:.lease where name = :name`,
    { name },
  );
  return { name, holder: holding?.holder ?? 'unknown', secondsLeft: Math.max(holding?.seconds ?? 0, 0) };
}

/** Entities that can be read back or sent again without harm; application statuses cannot. */
const DOUBTED = ENTITIES.filter(({ repeatable }) => repeatable).map(({ name }) => name);

/**
 * The database went back in time: what counts as acknowledged may not be what the platform holds. The journal went back too:
 * it may lack what was sent between its last row and now. Only its rows are proof that this copy was the one in use; the
 * other tables are written also by those that hold no lease.
 */
async function noteDoubt(statements: Statements): Promise<void> {
  await statements.query(
    `insert into :schema:.entity_state (entity, in_doubt_since)
     select doubted.name, clock_timestamp() from unnest(cast(:doubted as text[])) as doubted(name)
     where exists (select 1 from :schema:.sync_state s where s.entity = doubted.name)
     on conflict (entity) do update set in_doubt_since = excluded.in_doubt_since`,
    { doubted: DOUBTED },
  );
  await statements.query(
    `insert into :schema:.journal_gap as g (begins, ends)
     select coalesce(max(answered_at), '-infinity'), clock_timestamp() from :schema:.delivery
     on conflict (begins) do update set ends = greatest(g.ends, excluded.ends)`,
  );
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof SyncError && error.details?.code === '55P03';
}

/**
 * SQL: the condition on a row of `lease` that it is held under `:token` and `:nonce`. Every statement of a holder
 * compares both, because a database that went back in time hands out a token twice.
 */
export function heldLeaseSql(name: LeaseName): string {
  return `name = '${name}' and token = :token and nonce = :nonce and expires_at > clock_timestamp()`;
}

/** The parameters `:token` and `:nonce`. */
export function fenceParameters({ token, nonce }: Fence): { readonly token: string; readonly nonce: string } {
  return { token: String(token), nonce };
}

/**
 * After a holder's statement that changed nothing: is its lease lost, or was there nothing to change? Does not block
 * others from taking the lease; `checkLease` does.
 */
export async function holdsLease(statements: Statements, name: LeaseName, fence: Fence): Promise<boolean> {
  const held = await statements.query(
    `select 1 from :schema:.lease where ${heldLeaseSql(name)}`,
    fenceParameters(fence),
  );
  return held.length > 0;
}

/** Errors: SyncError `lease-lost` when the lease is not held. */
export async function requireLease(statements: Statements, name: LeaseName, fence: Fence): Promise<void> {
  if (!(await holdsLease(statements, name, fence))) throw leaseNotHeld(name);
}

/** The error of a statement whose lease ended or went to another process. */
export function leaseNotHeld(name: LeaseName): SyncError {
  return new SyncError(
    'lease-lost',
    `The process lost the ${name} lease: it did not renew it in time, or another process took it.`,
    {
      scope: 'run',
      hint: 'This process sends nothing more. The next run continues. If this happens often, raise state.leaseTtl.',
    },
  );
}

/**
 * Ends a transaction whose lease another process took, and holds the lease until the transaction ends: a key share lock
 * blocks taking the lease, which locks the row for update, but not its renewal.
 * Errors: SyncError `lease-lost`.
 */
export async function checkLease(statements: Statements, name: LeaseName, fence: Fence): Promise<void> {
  const held = await statements.query(
    `select 1 from :schema:.lease where ${heldLeaseSql(name)} for key share`,
    fenceParameters(fence),
  );
  if (held.length === 0) throw leaseNotHeld(name);
}

/** Does `work` in one transaction, during which nobody else takes the lease. Errors: SyncError `lease-lost`. */
export function withLease<T>(
  database: StateDatabase,
  name: LeaseName,
  fence: Fence,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  return database.transaction(async (statements) => {
    await checkLease(statements, name, fence);
    return work(statements);
  });
}

/** Records that one statement changes: short transactions, so that a running push never waits. */
const BATCH_SIZE = 5_000;

/**
 * For an entity in doubt: clears the acknowledgements of records that are not settled, because they cannot be read back and compared. They are
 * sent when they may be, whatever was acknowledged. Open claims end like an attempt without reply: an earlier request
 * may have arrived after them. Vanished records stay unchanged, unless something of them is to be sent, or they are
 * only reported.
 */
export async function distrustUnsettled(
  database: Statements,
  entity: EntityName,
  timeoutMs: number,
): Promise<void> {
  for (let after = ''; ;) {
    const rows = await database.query<{ key: string }>(
      `with batch as materialized (
         select s.key from :schema:.sync_state s
         where s.entity = :entity and s.key > :after and (s.claim_token is not null
           or (not s.settled and s.acknowledged_hash is not null
             and (s.vanished_at is null or s.desired_hash is distinct from s.acknowledged_hash)))
         order by s.key limit ${BATCH_SIZE} for update
       )
       update :schema:.sync_state s set
         confirm_at = ${confirmLater('s', ':timeout')}, acknowledged_hash = null, claim_token = null
       from batch where s.entity = :entity and s.key = batch.key returning s.key`,
      { entity, after, timeout: timeoutMs },
    );
    if (rows.length < BATCH_SIZE) return;
    after = rows.map(({ key }) => key).reduce((last, key) => (compareUtf8(key, last) > 0 ? key : last));
  }
}
