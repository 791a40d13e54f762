import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/cli/compose/package-info.js';
import { openJobQueue } from '../../../../src/features/fleet/open-job-queue.js';
import { plantTraps, sprungTraps } from '../../../postgres/plant-traps.js';
import { createTestDatabase } from '../../../postgres/test-database.js';

const SCHEMA = 'fleet_jobs';

test('the queue calls nothing that somebody put into the schema public of the fleet’s database', async () => {
  const database = await createTestDatabase();
  const { strictUrl: url } = await plantTraps(database);
  const warnings: unknown[] = [];
  const open = () =>
    openJobQueue({
      ...{ url, poolMax: 3, schema: SCHEMA, clock: systemClock },
      emit: (event) => warnings.push(event),
    });
  const looks = async () =>
    (
      await database.query<{ looked: boolean }>(
        `select monitor_on is not null as looked from ${SCHEMA}.queue`,
      )
    )
      .map(({ looked }) => looked)
      .filter(Boolean).length;

  // Builds the schema.
  await (await open()).close();
  const queue = await open();
  const stop = new AbortController();
  const ran: string[] = [];
  let touched: Promise<void> | undefined;
  const work = queue.work(
    { sync: 1, large: 1 },
    async ({ lane, tenant }) => {
      ran.push(`${lane} ${tenant}`);
      if (ran.length > 1) return { again: null };
      // As long as a sign of life takes, and the supervisor's first looks at both lanes.
      touched = systemClock.sleep(6_000);
      await touched;
      return { again: 'large' };
    },
    stop.signal,
  );
  try {
    await queue.sendDue(() => Promise.resolve([{ name: 'acme', lane: 'sync' }]));
    await queue.send('acme', 'sync');
    await expect.poll(() => ran, { timeout: 20_000 }).toEqual(['sync acme', 'large acme']);
    await expect.poll(looks, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  } finally {
    stop.abort();
    await work;
    await queue.close();
  }
  expect(await sprungTraps(database)).toEqual([]);
  expect(warnings).toEqual([]);
}, 90_000);
