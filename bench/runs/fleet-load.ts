import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '../../src/features/demo/postgres/start-postgres.js';
import { engineSchema } from '../../src/features/fleet/fleet.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import type { FleetWorld } from '../world/open-fleet-world.js';
import { FLEET_SCHEMA } from '../world/write-fleet.js';
import { openFleetWatch, type Watched } from './watch-fleet.js';

const REPLICAS = 2;

/** A replica that has just begun, and runs that were due, are not what is watched. */
const SETTLE_MS = 10_000;

const JOBS = engineSchema(FLEET_SCHEMA);

/** How often tenants run where fleets of different sizes are compared. */
const BUSY = '30 minutes';

/** Two replicas: all tenants run for the first time, then every ten minutes, every half hour, and hardly ever. */
export async function* fleetLoad(options: {
  readonly world: FleetWorld;
  readonly postgres: Postgres;
  /** Of each observation. */
  readonly seconds: number;
  readonly quick: boolean;
}): AsyncGenerator<Figure> {
  const { world, postgres, seconds, quick } = options;
  const all = world.tenants.toLocaleString('en');
  const period = (text: string) =>
    world.number(`update tenant set period_ms = extract(epoch from interval '${text}') * 1000,
      next_at = clock_timestamp() + random() * interval '${text}'`);
  const rows = world.records === 0 ? 'empty' : 'nothing changed';
  if (world.records === 0) await period(BUSY);
  const watch = await openFleetWatch({ world, postgres, replicas: REPLICAS });
  try {
    if (world.records > 0) yield* firstRuns();
    await period(BUSY);
    if (!quick) await sleep(SETTLE_MS);
    yield* figures(
      `${all} tenants every ${BUSY}, ${rows}, two replicas`,
      await watch.during(() => sleep(seconds * 1_000)),
    );
    // Not by their files: a tenant whose file was changed is due at once.
    await period('1 day');
    if (!quick) await untilQuiet(world);
    yield* figures(
      `${all} tenants once a day, two replicas`,
      await watch.during(() => sleep(seconds * 1_000)),
    );
  } finally {
    await watch.close();
  }

  async function* firstRuns(): AsyncGenerator<Figure> {
    const busy = await watch.during(async () => {
      const left = () =>
        world.number('select count(*) from tenant where last_run is null or running_replica is not null');
      while ((await left()) > 0) await sleep(250);
    });
    const failed = await world.text(
      `select count(*) || ': ' || max(last_run ->> 'message') from tenant where last_run ->> 'exitCode' <> '0' having count(*) > 0`,
    );
    if (failed !== null) throw new Error(`Tenants that did not end well: ${failed}`);
    yield* figures(
      `first runs of ${all} tenants with ${world.records} records each, two replicas`,
      busy,
      world.tenants,
    );
    yield* figures(
      `${all} tenants every 10 minutes, nothing changed, two replicas`,
      await watch.during(() => sleep(seconds * 1_000)),
    );
  }
}

/** @param tenants that ran; null: what matters is the time, not the tenants */
function figures(what: string, watched: Watched, tenants: number | null = null): Figure[] {
  const { seconds, runs, statements, control, cpu, postgresCpu, memory, most, connection } = watched;
  const value = (suffix: string, unit: string, each: readonly number[], aside = ''): Figure => ({
    ...{
      what: `${what}: ${suffix}`,
      rows: null,
      unit,
      value: spread(each),
      reference: null,
      target: null,
      aside,
    },
  });
  const share = (used: number) => (100 * used) / seconds;
  return [
    ...(tenants === null
      ? []
      : [
          value(
            'tenants',
            'a second',
            [tenants / seconds],
            `${runs} runs in ${seconds.toFixed(0)} s, from the start of the replicas`,
          ),
        ]),
    value(
      'statements',
      'a second',
      [statements / seconds],
      `${Math.round(control / seconds)} of them BEGIN, SET LOCAL and COMMIT; ${runs} runs`,
    ),
    value('CPU of a replica', '% of a core', cpu.map(share), `Postgres ${share(postgresCpu).toFixed(1)} %`),
    value(
      'memory of a replica',
      'MB',
      memory,
      `at most ${Math.max(...most).toFixed(0)} MB until then; the largest connection of Postgres ${connection.toFixed(0)} MB`,
    ),
  ];
}

/** No job of the time before is left. */
async function untilQuiet({ number }: FleetWorld): Promise<void> {
  const left = () =>
    number(
      `select count(*) from ${JOBS}.job where name in ('sync', 'large') and state in ('created', 'retry', 'active')`,
    );
  do await sleep(2_000);
  while ((await left()) > 0);
}
