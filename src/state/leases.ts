import { SyncError } from '../domain/errors.js';
import type { Lease, LeaseHolder, LeaseName, Leases } from '../ports/leases.js';
import type { StateDatabase, Statements } from './state-database.js';

interface AcquiredRow {
  token: string;
  idle_ms: number | null;
}

type Acquired = { readonly lease: Lease } | { readonly heldBy: LeaseHolder };

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

/** Leases as rows: a session's advisory lock would strand behind a pooler. */
export function createLeases(database: StateDatabase): Leases {
  return {
    async acquire(name: LeaseName, holder, ttlMs) {
      const attempt = database.transaction<Acquired>(async (statements) => {
        await statements.query(`select set_config('lock_timeout', '3s', true)`);
        await statements.query(
          `insert into :schema:.lease (name, token, holder, expires_at) values (:name, 0, '', '-infinity') on conflict do nothing`,
          { name },
        );
        // The row is locked first and judged afterwards, so that of two at once one sees the other.
        await statements.query('select 1 from :schema:.lease where name = :name for update', { name });
        const [taken] = await statements.query<AcquiredRow>(
          `update :schema:.lease l
           set token = l.token + 1, holder = :holder, expires_at = clock_timestamp() + :ttl * interval '1 millisecond'
           from :schema:.lease old
           where l.name = :name and old.name = l.name and l.expires_at <= clock_timestamp()
           returning cast(l.token as text) as token,
             case when old.token > 0 then cast(extract(epoch from clock_timestamp() - old.expires_at) * 1000 as double precision) end as idle_ms`,
          { name, holder, ttl: ttlMs },
        );
        return taken
          ? { lease: { name, token: BigInt(taken.token), idleMs: taken.idle_ms } }
          : { heldBy: await heldBy(statements, name) };
      });
      try {
        return await attempt;
      } catch (error) {
        // Its holder was stopped in the middle of a transaction, which the database ends soon.
        if (!isLockTimeout(error)) throw error;
        return { heldBy: await heldBy(database, name) };
      }
    },

    async renew({ name, token }, ttlMs) {
      const rows = await database.query(
        `update :schema:.lease set expires_at = clock_timestamp() + :ttl * interval '1 millisecond'
         where name = :name and token = :token and expires_at > clock_timestamp() returning 1`,
        { name, token: String(token), ttl: ttlMs },
      );
      return rows.length > 0;
    },

    holders: () =>
      database.query<LeaseHolder>(
        `select name, holder, cast(ceil(extract(epoch from expires_at - clock_timestamp())) as integer) as "secondsLeft"
         from :schema:.lease where expires_at > clock_timestamp() order by name desc`,
      ),

    async release({ name, token }) {
      await database.query(
        'update :schema:.lease set expires_at = clock_timestamp() where name = :name and token = :token and expires_at > clock_timestamp()',
        { name, token: String(token) },
      );
    },
  };
}
