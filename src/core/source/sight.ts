import type { SourceOrigin, SourceSight } from '../domain/source-sight.js';
import type { Transaction } from './transaction.js';

/**
 * Which server and database a transaction reads (`readSight`), and how far a replica is behind (`readReplicaLag`). A role without further rights can read all of this on Postgres 13 to 18. A server that
 * refuses a part shows less, and the read goes on.
 */

type Attempt = Pick<Transaction, 'attempt'>;

const ORIGIN = `d.datname as database, cast(d.oid as pg_catalog.text) as "databaseOid",
   pg_catalog.pg_is_in_recovery() as replica
 from pg_catalog.pg_database d where d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()`;

interface OriginRow extends Partial<Pick<SourceOrigin, 'system'>> {
  readonly database: string;
  readonly databaseOid: string;
  readonly replica: boolean;
}

export async function readSight(transaction: Attempt): Promise<SourceSight> {
  const row =
    (await firstRow<OriginRow>(
      transaction,
      `select (select cast(system_identifier as pg_catalog.text) from pg_catalog.pg_control_system()) as system, ${ORIGIN}`,
    )) ?? (await firstRow<OriginRow>(transaction, `select ${ORIGIN}`));
  if (row === null) return { origin: null, replica: null };
  const { replica, system = null, database, databaseOid } = row;
  return {
    origin: { system, database, databaseOid },
    replica: replica ? { lagMs: await readReplicaLag(transaction) } : null,
  };
}

/**
 * A transaction that came last may be hours old on a primary at rest, so its age counts only while something is not
 * replayed that has arrived, or nothing can arrive because no WAL receiver runs.
 */
const LAG = `select cast(pg_catalog.pg_last_wal_receive_lsn() as pg_catalog.text) as received,
   case when exists (select from pg_catalog.pg_stat_wal_receiver)
       and pg_catalog.pg_last_wal_replay_lsn() OPERATOR(pg_catalog.>=) cast(coalesce($1, cast(pg_catalog.pg_last_wal_receive_lsn() as pg_catalog.text)) as pg_catalog.pg_lsn)
     then 0
     else cast(extract(epoch from pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) pg_catalog.pg_last_xact_replay_timestamp()) as double precision) end as seconds`;

/** Below this, a second look is not worth its time. */
const LOOK_AGAIN_MS = 1_000;

/**
 * How far a replica is behind, milliseconds; null: the server does not say. A long lag is looked at twice, because what
 * arrived a moment ago and waits for its turn makes the last transaction look late: it counts when the replica has not
 * replayed a fifth of a second later what it had received at first.
 */
export async function readReplicaLag(transaction: Attempt): Promise<number | null> {
  interface Lag {
    readonly received: string | null;
    readonly seconds: number | null;
  }
  const look = (received: string | null) => firstRow<Lag>(transaction, LAG, [received]);
  const first = await look(null);
  if (typeof first?.seconds !== 'number') return null;
  const seen = Math.max(0, Math.round(first.seconds * 1_000));
  if (seen < LOOK_AGAIN_MS || first.received === null) return seen;
  await transaction.attempt('select pg_catalog.pg_sleep(0.2)');
  const again = await look(first.received);
  return typeof again?.seconds !== 'number' ? null : Math.max(0, Math.round(again.seconds * 1_000));
}

/** Null: the server refuses the statement, or it gives no row. */
async function firstRow<T extends object>(
  { attempt }: Attempt,
  text: string,
  values: readonly unknown[] = [],
): Promise<T | null> {
  const answer = await attempt<T & Record<string, unknown>>(text, values);
  return 'rows' in answer ? (answer.rows[0] ?? null) : null;
}
