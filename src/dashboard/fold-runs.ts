import type { ListedRun } from '../ports/runs.js';

/** A line of the run history: one run, or several quiet ones in a row that ended alike. The latest first. */
export type RunLine = readonly [ListedRun, ...ListedRun[]];

/** The lines of these runs, the latest first. `keepFirst`: the first run has a line of its own. Pure. */
export function foldRuns(runs: readonly ListedRun[], keepFirst: boolean): readonly RunLine[] {
  const lines: [ListedRun, ...ListedRun[]][] = [];
  for (const [index, run] of runs.entries()) {
    const line = keepFirst && index === 1 ? undefined : lines.at(-1);
    if (line && isQuiet(run) && isQuiet(line[0]) && endedAlike(run, line[0])) line.push(run);
    else lines.push([run]);
  }
  return lines;
}

/**
 * Whether it ended by itself, found no change, sent nothing and left nothing to send. Records that stay invalid or
 * rejected do not count: else one of them would fill the history.
 */
function isQuiet({ outcome, error, entities }: ListedRun): boolean {
  const ended = outcome === 'complete' || outcome === 'partial';
  return ended && error === null && Object.values(entities).every(isIdle);
}

function isIdle(report: ListedRun['entities'][string]): boolean {
  const { held, error, vanished, changed, sent, deferred, pending } = report;
  return (
    !held && !error && ![report.new, changed, vanished, sent, deferred, pending].some((count) => count > 0)
  );
}

function endedAlike(one: ListedRun, other: ListedRun): boolean {
  return one.outcome === other.outcome && one.exitCode === other.exitCode;
}
