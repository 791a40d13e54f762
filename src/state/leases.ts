import type { Leases, LeaseName } from '../ports/leases.js';
import type { StateDatabase } from './state-database.js';

interface AcquiredRow {
  token: string;
  idle_ms: number | null;
}

/** Leases as rows: a session's advisory lock would strand behind a pooler. */
export function createLeases(database: StateDatabase): Leases {
  return {
    async acquire(name: LeaseName, holder, ttlMs) {
      return database.transaction(async (statements) => {
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
        if (taken) return { lease: { name, token: BigInt(taken.token), idleMs: taken.idle_ms } };
        const [holding] = await statements.query<{ holder: string; seconds: number }>(
          `select holder, cast(ceil(extract(epoch from expires_at - clock_timestamp())) as integer) as seconds
           from :schema:.lease where name = :name`,
          { name },
        );
        return {
          heldBy: {
            name,
            holder: holding?.holder ?? 'unknown',
            secondsLeft: Math.max(holding?.seconds ?? 0, 0),
          },
        };
      });
    },

    async renew({ name, token }, ttlMs) {
      const rows = await database.query(
        `update :schema:.lease set expires_at = clock_timestamp() + :ttl * interval '1 millisecond'
         where name = :name and token = :token and expires_at > clock_timestamp() returning 1`,
        { name, token: String(token), ttl: ttlMs },
      );
      return rows.length > 0;
    },

    async release({ name, token }) {
      await database.query(
        'update :schema:.lease set expires_at = clock_timestamp() where name = :name and token = :token and expires_at > clock_timestamp()',
        { name, token: String(token) },
      );
    },
  };
}
