/**
 * What docs/dev/performance.md says of bench/results.json: the figures that people ask for, and the
 * fleet. The page stays short; results.json has all figures.
 */
import { readFileSync } from 'node:fs';
import { table } from '../../docs/table.js';
import type { Figure } from './figure.js';
import { figureText } from './figure-text.js';
import type { Measured, Results } from './results.js';

const FILE = new URL('../results.json', import.meta.url);

/** A figure of the page: its benchmark, the beginning of its `what`, and the words of the page for it. */
export type Headline = readonly [benchmark: string, what: string, label: string];

export const HEADLINES: readonly Headline[] = [
  ['no-op-run', '`run` with nothing to do', '`run` with nothing to do, from start to exit'],
  [
    'unchanged-sweep',
    'run with row_version, after a vacuum, state in the same database',
    '`run` in which nothing changed, from start to exit',
  ],
  ['changed-sweep', 'sweep with 10 rows changed, an index on the key', 'sweep that finds 10 changed rows'],
  ['changed-sweep', 'sweep with 1 % changed, an index on the key', 'sweep that finds 1 % changed'],
  ['first-load', 'first load', 'first load: read, map, validate and store everything'],
  ['memory', 'memory of a first load', 'most memory of the process, in a first load'],
  ['push', 'push of signed PUTs', 'push without a limit, signed PUTs of 2 KB'],
  ['rate-use', 'limit of 50 a second, 30 ms of latency: mean', 'push with a limit of 50 a second'],
  ['edit-latency', 'from an edit to its answer', 'from an edit to the platform’s answer (95 % of edits)'],
  ['looks', 'dashboard: page of a vacancy', 'dashboard: page of one vacancy'],
  ['idle-worker', 'an idle `start`: the worker', 'an idle `start`'],
];

export const FLEET_HEADLINES: readonly Headline[] = [
  ['fleet', '`fleet apply` of 2,000 tenants, all new', '`fleet apply`, all tenants new'],
  [
    'fleet',
    '`fleet migrate`, called again after a kill: the rest of 2,000',
    '`fleet migrate`, about half of the ledgers new',
  ],
  ['fleet', '`fleet migrate`, one migration for each of 2,000', '`fleet migrate`, one migration for each'],
  ['fleet', '`fleet migrate`, all 2,000 up to date', '`fleet migrate`, all up to date'],
  ['fleet', '`fleet status` with 2,000', '`fleet status`'],
  ['fleet', 'first runs of 2,000 tenants with 10 records each, two replicas: tenants', 'first runs: tenants'],
  [
    'fleet',
    'first runs of 2,000 tenants with 10 records each, two replicas: CPU',
    'first runs: CPU of a replica',
  ],
  [
    'fleet',
    'first runs of 2,000 tenants with 10 records each, two replicas: memory',
    'first runs: memory of a replica',
  ],
  [
    'fleet',
    '2,000 tenants every 10 minutes, nothing changed, two replicas: statements',
    'nothing changed, every 10 minutes: statements',
  ],
  [
    'fleet',
    '2,000 tenants every 10 minutes, nothing changed, two replicas: CPU',
    'nothing changed, every 10 minutes: CPU of a replica',
  ],
  [
    'fleet',
    'a fleet of 2,000, every 30 minutes: statements',
    '2,000 every 30 minutes, for 1,000 of them: statements',
  ],
  [
    'fleet',
    'a fleet of 10,000, every 30 minutes: statements',
    '10,000 every 30 minutes, for 1,000 of them: statements',
  ],
  ['fleet', 'a fleet of 10,000, every 30 minutes: CPU', 'the same: CPU of a replica'],
  ['fleet', 'a fleet of 10,000, once a day: statements', '10,000 once a day, for 1,000 of them: statements'],
];

/** A measured figure, or undefined when the benchmark did not give it. Of several sizes, the largest. */
export function headlineFigure(
  { benchmarks }: Results,
  [benchmark, beginning]: Headline,
): Figure | undefined {
  return benchmarks
    .find(({ name }) => name === benchmark)
    ?.figures.filter(({ what }) => what.startsWith(beginning) && !what.endsWith(': each of'))
    .toSorted((left, right) => (right.rows ?? 0) - (left.rows ?? 0))[0];
}

export function performanceTable(): string {
  const results = readResults();
  return table(
    ['what', 'records', 'figure', 'beside it'],
    headlineRows(results, HEADLINES).map(([label, figure]) => {
      const { figure: value, reference } = figureText(figure);
      return [label, figure.rows?.toLocaleString('en') ?? '', value, reference];
    }),
  );
}

export function fleetTable(): string {
  return table(
    ['what', 'figure', 'beside it'],
    headlineRows(readResults(), FLEET_HEADLINES).map(([label, figure]) => {
      const { figure: value, reference, aside } = figureText(figure);
      return [label, value, reference || aside];
    }),
  );
}

function headlineRows(results: Results, headlines: readonly Headline[]): [label: string, Figure][] {
  return headlines.flatMap((headline) => {
    const figure = headlineFigure(results, headline);
    return figure === undefined ? [] : [[headline[2], figure] satisfies [string, Figure]];
  });
}

/** Machine and day of the figures; a benchmark that was measured elsewhere is named apart. */
export function measuredOn(): string {
  const byPlace = new Map<string, Measured[]>();
  for (const measured of readResults().benchmarks) {
    const { cpu, cores, memoryGb, node, postgres } = measured.machine;
    const place = `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, Postgres ${postgres}, ${measured.date}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), measured]);
  }
  const [usual, ...others] = [...byPlace].toSorted(([, left], [, right]) => right.length - left.length);
  if (usual === undefined) return '';
  const apart = others.map(([place, all]) => ` ${all.map(({ name }) => name).join(', ')}: ${place}.`);
  return `Measured on ${usual[0]}.${apart.join('')}`;
}

export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results;
}
