import { SyncError } from '../../domain/errors.js';
import type { LeaseHolder, LeaseName, Leases } from '../../ports/leases.js';
import { noteDoubt } from './doubt.js';
import { fenceParameters, heldLeaseSql } from './held-lease.js';
import { readOrigin } from '../database/read-origin.js';
import type { StateDatabase, Statements } from '../database/state-database.js';

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

type Acquired = { readonly taken: AcquiredRow } | { readonly heldBy: LeaseHolder };

async function heldBy(statements: Statements, name: LeaseName): Promise<LeaseHolder> {
  const [holding] = await statements.query<{ holder: string; seconds: number }>(
    `select holder, cast(ceil(extract(epoch from expires_at - clock_timestamp())) as integer) as seconds
     from :schema:.lease where name = :name`,
    { name },
  );
  return { name, holder: holding?.holder ?? 'unknown', secondsLeft: Math.max(holding?.seconds ?? 0, 0) };
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof SyncError && error.details?.code === '55P03';
}

/** SQL: a time to live from now on. */
const fromNow = (ttlMs: string) => `clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;

/** One try in one transaction. */
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

interface RenewedRow {
  readonly renewals: string;
  /** The lease was taken in another copy of the database. */
  readonly elsewhere: boolean;
}

const RENEWED = `cast(renewals as text) as renewals, coalesce(origin <> :origin, false) as elsewhere`;

/** Leases as rows: a session's advisory lock would stay behind in a pooler. */
export function createLeases(database: StateDatabase): Leases {
  /** The highest `renewals` of each lease that this process saw: a database with fewer went back in time. */
  const seen = new Map<LeaseName, bigint>();
  const seenOf = (name: LeaseName) => seen.get(name) ?? 0n;

  return {
    async acquire(name: LeaseName, holder, ttlMs) {
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

    async renew({ name, fence }, ttlMs) {
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

    holders: () =>
      database.query<LeaseHolder>(
        `select name, holder, cast(ceil(extract(epoch from expires_at - clock_timestamp())) as integer) as "secondsLeft"
         from :schema:.lease where expires_at > clock_timestamp() order by name desc`,
      ),

    async release({ name, fence }) {
      await database.query(
        `update :schema:.lease set expires_at = clock_timestamp() where ${heldLeaseSql(name)}`,
        fenceParameters(fence),
      );
    },
  };
}
