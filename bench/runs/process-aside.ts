import { spread } from '../results/spread.js';
import type { ToolRun } from '../world/tool.js';

/** CPU and memory of some runs, in the middle. Pure. */
export function processAside(runs: readonly ToolRun[]): string {
  const middle = (of: (run: ToolRun) => number) => spread(runs.map(of)).median;
  return `CPU ${middle(({ cpu }) => cpu).toFixed(2)} s, Postgres ${middle(({ postgresCpu }) => postgresCpu).toFixed(2)} s, ${middle(({ memory }) => memory).toFixed(0)} MB`;
}
