import type { Context } from '../context.js';
import type { Figure, Spread } from '../results/figure.js';
import { spread } from '../results/spread.js';
import { sizes } from './sizes.js';

/** Megabytes that a process may have. */
const MOST = 160;
/** How much more it may have with ten times the records. */
const GROWTH = 1.2;

/** Most memory that was resident, of the process of a first load and of an unchanged sweep. */
export async function* memory(context: Context): AsyncGenerator<Figure> {
  const { rounds } = context.options;
  const kinds = { 'first load': new Map<number, Spread>(), 'unchanged sweep': new Map<number, Spread>() };
  const numbers = sizes(context.options);
  for (const rows of numbers) {
    const world = await context.world(rows);
    kinds['first load'].set(rows, spread([world.firstLoad.memory]));
    await world.use('versioned');
    const sweeps: number[] = [];
    for (let round = 0; round < rounds; round += 1) sweeps.push((await world.run('same')).memory);
    kinds['unchanged sweep'].set(rows, spread(sweeps));
  }
  yield* Object.entries(kinds).flatMap(([kind, measured]) =>
    numbers.flatMap((rows, index) => {
      const value = measured.get(rows);
      const before = measured.get(numbers[index - 1] ?? NaN);
      if (!value) return [];
      const common = { rows, unit: 'MB', value, aside: '' };
      const what = `memory of a ${kind.replace('unchanged', 'run with an unchanged')}`;
      return [
        { what, ...common, reference: null, target: { of: 'value' as const, atMost: MOST } },
        ...(before === undefined || (numbers[index - 1] ?? 0) < 100_000
          ? []
          : [
              {
                what: `growth of the ${what}`,
                ...common,
                reference: { what: `${numbers[index - 1]?.toLocaleString('en')} records`, value: before },
                target: { of: 'ratio' as const, atMost: GROWTH },
              },
            ]),
      ];
    }),
  );
}
