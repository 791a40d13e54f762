import { createHash } from 'node:crypto';
import pg from 'pg';
import { systemClock } from '../../../../src/cli/compose/package-info.js';
import { openJobQueue } from '../../../../src/features/fleet/open-job-queue.js';
import { runReplica } from '../../../../src/features/fleet/run-replica.js';
import { createStateDatabase } from '../../../../src/core/ledger/database/state-database.js';
import { createTenants } from '../../../../src/features/fleet/state/tenants.js';

/** A replica as a process of its own. Arguments: URL, the fleet's schema, its name, slots, milliseconds of a slice. */
const [url = '', schema = '', replica = '', slots = '4', sliceMs = '300'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 2 * Number(slots) + 2 });
pool.on('error', () => undefined);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const state = createStateDatabase({ url, poolMax: 3, schema });
const tenants = createTenants(state);
const emit = (event: object) => void process.stdout.write(`${JSON.stringify(event)}\n`);
const queue = await openJobQueue({
  ...{ url, poolMax: 4, schema: `${schema}_jobs` },
  clock: systemClock,
  emit,
});

await runReplica({
  tenants,
  queue,
  replica,
  slots: Number(slots),
  largeSlots: 1,
  clock: systemClock,
  emit,
  signal: stop.signal,
  // A lock of the session stands for the lease of the ledger: it ends with its process.
  async runSlice({ summary: { name } }, signal, progressed) {
    const startedAt = new Date();
    const key = createHash('sha256').update(name).digest().readInt32BE();
    const client = await pool.connect();
    try {
      const lock = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [key]);
      const alone = lock.rows[0]?.ours === true;
      const ran = await client.query<{ id: number }>(
        'insert into run (tenant, replica, alone) values ($1, $2, $3) returning id',
        [name, replica, alone],
      );
      // Its rows need more memory than there is.
      if (name === 'poison') process.kill(process.pid, 'SIGKILL');
      progressed();
      await systemClock.sleep(Number(sliceMs), signal);
      await client.query('update run set ended_at = now() where id = $1', [ran.rows[0]?.id]);
      if (alone) await client.query('select pg_advisory_unlock($1)', [key]);
    } finally {
      client.release();
    }
    return {
      startedAt,
      finishedAt: new Date(),
      outcome: 'slice',
      exitCode: 0,
      message: null,
      pending: 1,
      usedUpSlice: true,
    };
  },
});
await queue.close();
await state.close();
await pool.end();
