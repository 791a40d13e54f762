import type { Benchmark } from './benchmarks.js';

/** What `--help` prints. */
export function helpText(benchmarks: readonly Benchmark[]): string {
  return [
    'npm run bench -- [options]',
    '',
    'Measures the built program on a Postgres of its own, each figure beside its reference, in turn.',
    'Writes bench/results.json and the tables of docs/dev/performance.md.',
    '',
    '  --rows N      vacancies of the sweeps (default 100,000; 5,000 with --quick)',
    '  --rounds N    rounds of each measurement (default 5; 2 with --quick)',
    '  --tenants N   tenants of the fleet (default 2,000, and then also 200 and 10,000; 30 with --quick)',
    '  --quick       small numbers and short times: shows that everything works',
    '  --only NAME   one benchmark; several with commas',
    '  --print       print the figures, and write nothing',
    '',
    ...benchmarks.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`),
  ].join('\n');
}
