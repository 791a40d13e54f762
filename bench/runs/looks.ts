import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { timed } from '../measure/timed.js';
import type { Figure, Target } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { runTool } from '../world/tool.js';
import { startWorker } from '../world/start-worker.js';

/** A key in the middle. */
const keyOf = (rows: number): string => `V${String(Math.floor(rows / 2)).padStart(9, '0')}`;

/** What a person waits for: `status`, `explain`, and pages of the dashboard. */
export async function* looks(context: Context): AsyncGenerator<Figure> {
  const world = await context.world(context.options.rows);
  await world.use('versioned');
  const config = world.config();
  const command = async (...words: string[]) =>
    (await runTool(words, { config, postgres: context.postgres.pid })).seconds;
  const { check, status, explain } = await alternate(context.options.rounds, {
    check: () => command('config', 'check'),
    status: () => command('status', '--json'),
    explain: () => command('explain', 'vacancies', keyOf(world.rows), '--json'),
  });
  const common = { rows: world.rows, unit: 's', aside: '' };
  yield* [
    {
      what: '`status`, process start to exit',
      ...{ ...common, value: spread(status), reference: null, target: { of: 'value', atMost: 1 } },
    },
    {
      what: '`explain` of a vacancy, process start to exit',
      ...{ ...common, value: spread(explain), reference: { what: '`config check`', value: spread(check) } },
      target: { of: 'difference', atMost: 0.1 },
    },
  ] satisfies Figure[];
  yield* pages(context, config, world.rows);
}

async function* pages({ options }: Context, config: string, rows: number): AsyncGenerator<Figure> {
  const worker = startWorker(config);
  try {
    const listening = /http:[\w./:]+/.exec(await worker.line(/Listening for admin/))?.[0] ?? '';
    await worker.line(/Run .* ends/);
    const look = (path: string) =>
      timed(async () => {
        const reply = await fetch(`${listening.replace(/\/$/, '')}${path}`);
        if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`);
        await reply.text();
      });
    const warm: Target = { of: 'value', atMost: 0.3 };
    for (const [what, path, target] of [
      ['overview', '/', warm],
      ['list of all vacancies', '/records?entity=vacancies', warm],
      ['list by last attempt', '/records?entity=vacancies&order=newest', warm],
      ['list of what is in step', '/records?entity=vacancies&status=synced', warm],
      ['list of a status without records', '/records?entity=vacancies&status=rejected', warm],
      ['page of a vacancy', `/record?entity=vacancies&key=${keyOf(rows)}`, { of: 'value', atMost: 0.1 }],
    ] as const) {
      const first = await look(path);
      const later: number[] = [];
      for (let round = 0; round < options.rounds; round += 1) later.push(await look(path));
      yield {
        what: `dashboard: ${what}, after the first look`,
        ...{ rows, unit: 's', value: spread(later), reference: null, target },
        aside: `at first ${first.toFixed(2)} s`,
      };
    }
  } finally {
    await worker.stop();
  }
}
