import { once } from 'node:events';
import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { openPushWorld } from '../world/open-push-world.js';
import { startChild } from '../world/start-child.js';
import type { RequestLoop } from './request-loop.js';

const RECORDS = 20_000;
const QUICK_RECORDS = 1_000;
const CONCURRENCY = 16;

interface Pushed {
  readonly perSecond: number;
  /** Microseconds for each request: of the process, and of Postgres. */
  readonly cpu: number;
  readonly postgresCpu: number;
  readonly memory: number;
}

/** Signed PUTs of 2 KB to a bare server, beside loops that send the same and store nothing. Counted at the server. */
export async function* push({ options, postgres, platform, folder }: Context): AsyncGenerator<Figure> {
  const count = options.quick ? QUICK_RECORDS : RECORDS;
  const baseUrl = platform.url;
  platform.answer(200);
  const world = await openPushWorld({
    ...{ name: 'bench_push', count, postgres, baseUrl, folder },
    ...{ ratePerSecond: null, concurrency: CONCURRENCY },
  });
  // The sweep that makes the records, and every path of the program once.
  await world.run();
  const measured = await alternate<'got' | 'node' | 'tool', Pushed>(options.rounds, {
    got: () => loop('got'),
    node: () => loop('node'),
    tool: async () => {
      await world.rearm();
      const { result, received } = await platform.during(() => world.run());
      return figures(received, result);
    },
  });
  platform.answer(401);
  const rates = (of: readonly Pushed[]) => spread(of.map(({ perSecond }) => perSecond));
  const middle = (of: readonly Pushed[], what: keyof Pushed) =>
    spread(of.map((each) => each[what])).median.toFixed(0);
  const common = { rows: count, unit: 'requests/s' };
  const { got, node, tool } = measured;
  yield* [
    {
      what: 'push of signed PUTs of 2 KB, 16 at a time, no limit',
      ...{ ...common, value: rates(tool), reference: { what: 'a loop of got', value: rates(got) } },
      target: { of: 'ratio', atLeast: 0.7 },
      aside: `CPU of the whole run for each request: ${middle(tool, 'cpu')} µs (got: ${middle(got, 'cpu')} µs), Postgres ${middle(tool, 'postgresCpu')} µs; ${middle(tool, 'memory')} MB`,
    },
    {
      what: 'a loop of node:http instead of got',
      ...{ ...common, value: rates(node), reference: { what: 'a loop of got', value: rates(got) } },
      ...{ target: null, aside: `CPU for each request: ${middle(node, 'cpu')} µs` },
    },
  ];

  async function loop(client: RequestLoop['client']): Promise<Pushed> {
    const argument: RequestLoop = { databaseUrl: world.url, baseUrl, concurrency: CONCURRENCY, client };
    const child = startChild('runs/request-loop.ts', argument);
    await once(child, 'message');
    const { result, received } = await platform.during(async () => {
      child.send('begin');
      const [cpu] = (await once(child, 'message')) as [number];
      return { cpu, postgresCpu: 0, memory: 0 };
    });
    return figures(received, result);
  }

  function figures(
    received: { readonly count: number; readonly seconds: number },
    {
      cpu,
      postgresCpu,
      memory,
    }: { readonly cpu: number; readonly postgresCpu: number; readonly memory: number },
  ): Pushed {
    if (received.count !== count) throw new Error(`${received.count} requests instead of ${count}.`);
    const each = (seconds: number) => (1e6 * seconds) / count;
    return { perSecond: count / received.seconds, cpu: each(cpu), postgresCpu: each(postgresCpu), memory };
  }
}
