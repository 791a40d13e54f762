import { once } from 'node:events';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { LineOptions } from '../../test/rate/rate-server.js';
import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { changeRows } from '../world/change-rows.js';
import { openPushWorld } from '../world/open-push-world.js';
import { COMPANIES, VACANCIES } from '../world/queries.js';
import { startChild } from '../world/start-child.js';
import { runByHand, type RunByHand } from './run-by-hand.js';

/** More would take it hours. */
const MOST_ROWS = 100_000;
const LINE: LineOptions = { latencyMs: 30, jitterMs: 0, faults: false };
const VACANCY = '/api/v1/jobs/{id}/industrial-vacancy';
const COMPANY = '/api/v1/employers/{id}/company';

/** Whole processes of `run` beside the work of a script as people write it. */
export async function* byHand(context: Context): AsyncGenerator<Figure> {
  const { platform, options } = context;
  platform.answer(200);
  const line = startChild('../test/rate/rate-server.ts', LINE);
  try {
    const [port] = (await once(line, 'message')) as [number];
    yield* sweeps(context);
    yield first(context, 'a platform without latency', platform.url, options.quick ? 200 : 5_000);
    const slow = `http://127.0.0.1:${port}/jobs`;
    yield first(context, 'a platform with 30 ms of latency', slow, options.quick ? 100 : 500);
  } finally {
    line.kill();
    platform.answer(401);
  }
}

/** What a schedule repeats. */
async function* sweeps(context: Context): AsyncGenerator<Figure> {
  const { options, platform } = context;
  const world = await context.world(Math.min(options.rows, MOST_ROWS));
  await world.use('versioned');
  const script = (baseUrl: string | null) =>
    runByHand({ databaseUrl: world.url, baseUrl, sql: VACANCIES.versioned, path: VACANCY });
  await script(null);
  for (const [what, count] of [
    ['nothing changed', 0],
    ['10 rows changed', 10],
    ['1 % changed', world.rows / 100],
  ] as const) {
    const { hand, tool } = await alternate(options.rounds, {
      hand: async (round) => {
        await withClient(world.url, (client) =>
          count === 0 ? Promise.resolve() : changeRows(client, world.rows, count, round),
        );
        return script(platform.url);
      },
      tool: () => world.run('same'),
    });
    yield beside(`a run in which ${what}`, world.rows, tool, hand);
  }
}

/** The first sync of all records, with sending them. */
async function first(
  { options, postgres, folder }: Context,
  where: string,
  baseUrl: string,
  count: number,
): Promise<Figure> {
  const open = () =>
    openPushWorld({
      ...{ name: 'bench_by_hand', count, postgres, baseUrl, folder },
      ...{ ratePerSecond: null, concurrency: 16 },
    });
  const { hand, tool } = await alternate(options.rounds, {
    hand: async () => {
      const { url } = await open();
      return runByHand({ databaseUrl: url, baseUrl, sql: COMPANIES, path: COMPANY });
    },
    tool: async () => (await open()).run(),
  });
  return beside(`the first run, everything sent to ${where}`, count, tool, hand);
}

function beside(what: string, rows: number, tool: readonly RunByHand[], hand: readonly RunByHand[]): Figure {
  const middle = (runs: readonly RunByHand[], of: keyof RunByHand) => spread(runs.map((run) => run[of]));
  const value = middle(tool, 'seconds');
  const reference = { what: 'without a tool', value: middle(hand, 'seconds') };
  const factor = reference.value.median / value.median;
  const megabytes = (runs: readonly RunByHand[]) => `${middle(runs, 'memory').median.toFixed(0)} MB`;
  return {
    ...{ what, rows, unit: 's', value, reference, target: { of: 'ratio', atMost: 1 } },
    aside: `${factor.toFixed(1)} times as fast; ${megabytes(tool)}, without a tool ${megabytes(hand)}`,
  };
}
