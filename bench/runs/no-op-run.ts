import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { Context } from '../context.js';
import { alternate } from '../measure/alternate.js';
import { runProcess } from '../measure/run-process.js';
import { timed } from '../measure/timed.js';
import type { Figure } from '../results/figure.js';
import { spread } from '../results/spread.js';

const ROWS = 10_000;

/** `run` with nothing to do, from the start of its process to its end. */
export async function* noOpRun(context: Context): AsyncGenerator<Figure> {
  const { options } = context;
  const world = await context.world(options.quick ? options.rows : ROWS);
  await world.use('versioned');
  const { least, tool } = await alternate(options.rounds, {
    least: async () => {
      const node = await runProcess(['-e', '0'], { patience: 60 });
      const select = await timed(() => withClient(world.url, (client) => client.query('select 1')));
      return { seconds: node.seconds + select, cpu: node.cpu };
    },
    tool: () => world.run('same'),
  });
  const middle = (of: readonly { readonly cpu: number }[]) =>
    spread(of.map(({ cpu }) => cpu)).median.toFixed(2);
  yield* [
    {
      what: '`run` with nothing to do, process start to exit',
      ...{ rows: world.rows, unit: 's' },
      value: spread(tool.map(({ seconds }) => seconds)),
      reference: {
        what: '`node -e 0` and a `SELECT 1`',
        value: spread(least.map(({ seconds }) => seconds)),
      },
      target: { of: 'difference', atMost: 0.7 },
      aside: `CPU ${middle(tool)} s, of Node alone ${middle(least)} s`,
    },
  ];
}
