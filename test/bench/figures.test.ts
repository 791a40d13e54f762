import { describe, expect, it } from 'vitest';
import { readOptions } from '../../bench/options.js';
import { growth } from '../../bench/results/growth.js';
import { sizes } from '../../bench/runs/sizes.js';
import { withoutFleet } from '../../bench/runs/without-fleet.js';
import type { Figure } from '../../bench/results/figure.js';
import { figureText } from '../../bench/results/figure-text.js';
import { judge } from '../../bench/results/judge.js';
import {
  FLEET_HEADLINES,
  headlineFigure,
  HEADLINES,
  readResults,
} from '../../bench/results/performance-table.js';
import type { Measured } from '../../bench/results/results.js';
import { spread } from '../../bench/results/spread.js';

const figure: Figure = {
  ...{ what: 'a sweep', rows: 1_000_000, unit: 's', aside: '' },
  value: spread([3, 1, 2]),
  reference: { what: 'COPY', value: spread([1, 2]) },
  target: { of: 'ratio', atMost: 1.5 },
};

describe('a figure of a benchmark', () => {
  it('has the median, the least and the most of its rounds', () => {
    expect(spread([5, 1, 9])).toEqual({ median: 5, min: 1, max: 9 });
    expect(spread([1, 2])).toEqual({ median: 1.5, min: 1, max: 2 });
  });

  it.each([
    ['a ratio', { of: 'ratio', atMost: 1.3 }, 2 / 1.5, false],
    ['a ratio that should be large', { of: 'ratio', atLeast: 1.3 }, 2 / 1.5, true],
    ['a difference', { of: 'difference', atMost: 0.5 }, 0.5, true],
    ['the figure alone', { of: 'value', atMost: 1.9 }, 2, false],
  ] as const)('is judged by its medians: %s', (_, target, compared, reached) => {
    expect(judge({ ...figure, target })).toEqual({ compared, reached });
  });

  it('is not judged without a target, or without what the target needs', () => {
    expect(judge({ ...figure, target: null }).reached).toBeNull();
    expect(judge({ ...figure, reference: null }).reached).toBeNull();
  });

  it('shows reference, quotient, limit and verdict', () => {
    expect(Object.values(figureText(figure))).toEqual([
      'a sweep, 1,000,000 records',
      '2 (1 to 3) s',
      'COPY: 1.5 (1 to 2) s',
      '1.33 ×',
      '≤ 1.5 ×',
      'yes',
      '',
    ]);
    const difference = figureText({ ...figure, target: { of: 'difference', atMost: 0.7 } });
    expect([difference.compared, difference.target]).toEqual(['0.5 s more', '≤ 0.7 s']);
  });
});

describe('docs/dev/performance.md', () => {
  it.each([...HEADLINES, ...FLEET_HEADLINES])('finds the figure of %s: %s', (...headline) => {
    expect(headlineFigure(readResults(), headline)).toBeDefined();
  });

  it('shows the largest size, and no cost of a single record', () => {
    const [name, what] = HEADLINES[4] ?? ['', ''];
    const figures = [100, 300, 200].map((rows) => ({ ...figure, what: `${what}: more`, rows }));
    const each = { ...figure, what: `${what}: each of`, rows: 400 };
    const measured = { ...readResults().benchmarks[0], name, figures: [...figures, each] };
    const shown = headlineFigure({ benchmarks: [measured as Measured] }, [name, what, '']);
    expect(shown?.rows).toBe(300);
  });
});

describe('the growth of a cost', () => {
  it('compares the cost of each record with that among 100,000', () => {
    const small = { ...figure, rows: 100_000, value: spread([0.1]) };
    const [grown] = growth([{ ...figure, rows: 10_000 }, small, figure]);
    expect(grown && judge(grown)).toEqual({ compared: 2, reached: false });
    expect(growth([small])).toEqual([]);
  });

  it('is looked at from 10,000 records on, up to what is asked for', () => {
    expect(sizes({ rows: 1_000_000, quick: false })).toEqual([10_000, 100_000, 1_000_000]);
    expect(sizes({ rows: 100_000, quick: false })).toEqual([10_000, 100_000]);
    expect(sizes({ rows: 5_000, quick: true })).toEqual([5_000]);
  });
});

describe('the benchmark of the fleet', () => {
  it('is left out on a Node without the engine, and says why', () => {
    expect(withoutFleet('20.20.2')).toContain('A fleet needs Node 22.12 or later; this is Node 20.20.2.');
  });
});

describe('the options of npm run bench', () => {
  it('are few', () => {
    expect(readOptions(['--rows', '1_000_000', '--only', 'a,b'], ['a', 'b'])).toMatchObject({
      ...{ rows: 1_000_000, rounds: 5, tenants: 2_000, quick: false, only: ['a', 'b'], write: true },
      command: 'npm run bench -- --rows 1_000_000 --only a,b',
    });
  });

  it.each([
    [['--rows', 'many']],
    [['--rounds', '0']],
    [['--tenants', '1']],
    [['--only', 'nothing']],
    [['--fast']],
  ])('refuse %j', (words) => {
    expect(() => readOptions(words, ['a'])).toThrow();
  });
});
