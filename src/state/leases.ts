import { SyncError } from '../domain/errors.js';
import type { LeaseHolder, LeaseName, Leases } from '../ports/leases.js';
import { noteDoubt } from './doubt.js';
import { fenceParameters, heldLeaseSql } from './held-lease-sql.js';
import { readOrigin } from './read-origin.js';
import type { StateDatabase, Statements } from './state-database.js';

interface AcquiredRow {
  token: string;
  nonce: string;
  renewals: string;
  /** Milliseconds. */
  formerTtl: number;
  idle: number | null;
  /** The database went back in time: it has fewer renewals than were seen, or is another copy than before. */
  wentBack: boolean;
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
  // The row is locked first and judged afterwards, so that of two at once one sees the other.
  await statements.query('select 1 from :schema:.lease where name = :name for update', { name });
  // The clock was set back, or the row was written by one that was ahead: no holder is longer away than its own time.
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
       coalesce(old.ttl_ms, :ttl) as "formerTtl", old.renewals < cast(:seen as bigint) or coalesce(old.origin <> l.origin, false) as "wentBack",
       case when old.token > 0 then cast(extract(epoch from clock_timestamp() - old.expires_at) * 1000 as double precision) end as idle`,
    { ...parameters, name },
  );
  if (!taken) return { heldBy: await heldBy(statements, name) };
  // Together with the acquisition, which is the last that the row can tell of it.
  if (taken.wentBack) await noteDoubt(statements);
  return { taken };
}

/** Leases as rows: a session's advisory lock would strand behind a pooler. */
export function createLeases(database: StateDatabase): Leases {
  /** The `renewals` of each lease that this process was answered last: the database knows no fewer, unless it went back. */
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
        // Its holder was stopped in the middle of a transaction, which the database ends soon.
        if (!isLockTimeout(error)) throw error;
        return { heldBy: await heldBy(database, name) };
      }
      if ('heldBy' in acquired) return acquired;
      const { token, nonce, renewals, formerTtl, idle, wentBack } = acquired.taken;
      seen.set(name, BigInt(renewals));
      return {
        lease: {
          name,
          fence: { token: BigInt(token), nonce },
          idleMs: wentBack ? -Math.max(formerTtl, ttlMs) : idle,
        },
      };
    },

    async renew({ name, fence }, ttlMs) {
      const [renewed] = await database.query<{ renewals: string }>(
        `update :schema:.lease set expires_at = ${fromNow(':ttl')}, ttl_ms = :ttl, renewals = renewals + 1
         where ${heldLeaseSql(name)} returning cast(renewals as text) as renewals`,
        { ...fenceParameters(fence), ttl: ttlMs },
      );
      const [row] = renewed
        ? [renewed]
        : await database.query<{ renewals: string }>(
            'select cast(renewals as text) as renewals from :schema:.lease where name = :name',
            { name },
          );
      const renewals = BigInt(row?.renewals ?? 0);
      const before = renewed ? renewals - 1n : renewals;
      const wentBack = before < seenOf(name);
      if (wentBack) await noteDoubt(database);
      seen.set(name, renewals);
      return renewed !== undefined && !wentBack;
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
