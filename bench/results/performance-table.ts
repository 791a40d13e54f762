import { readFileSync } from 'node:fs';
import { table } from '../../docs/table.js';
import { figureText } from './figure-text.js';
import type { Machine, Measured, Results } from './results.js';

const FILE = new URL('../results.json', import.meta.url);

/** What docs/performance.md says of bench/results.json. */
export function performanceTable(): string {
  const { benchmarks } = JSON.parse(readFileSync(FILE, 'utf8')) as Results;
  return benchmarks.map(section).join('\n\n');
}

function section({ name, date, command, rounds, machine, load, figures }: Measured): string {
  const rows = figures.map(figureText).map((text) => Object.values(text) as string[]);
  const head = ['what', 'figure', 'reference', 'compared', 'target', 'reached', 'beside it'];
  return [
    `### ${name}`,
    `\`${command}\`, ${date}, ${rounds === 1 ? 'one round' : `${rounds} rounds`}. ${machineText(machine)}${load === undefined ? '' : `; load ${load}`}.`,
    table(head, rows),
  ].join('\n\n');
}

function machineText({ cpu, cores, memoryGb, system, node, postgres }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, Postgres ${postgres}`;
}
