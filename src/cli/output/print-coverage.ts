import type { Certainty, Operation } from '../../contract/operation.js';
import type { CoveredAssumption } from '../../sync/probe/run-probe.js';
import { localTime } from './local-time.js';
import { printCheck } from './print-probe.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

const WORDS: Readonly<Record<Certainty, string>> = {
  specified: 'specified',
  documented: 'documented',
  assumed: 'assumed',
};

interface CoverageView {
  readonly environment: string;
  /** With the methods and paths of the configuration. */
  readonly operations: readonly Operation[];
  readonly timeZone: string;
}

/** What the contract assumes, and what was observed of this platform, for people. */
export function printCoverage(
  checks: readonly CoveredAssumption[],
  { environment, operations, timeZone }: CoverageView,
): void {
  say(`Observed of ${environment}:\n`);
  const nothing = checks.every(({ observedAt }) => observedAt === null);
  for (const { observedAt, ...check } of checks) {
    const when = observedAt === null ? undefined : localTime(observedAt, timeZone);
    printCheck(check, { when, brief: nothing });
  }
  const assumed = operations.filter(({ certainty }) =>
    [certainty.method, certainty.path].includes('assumed'),
  );
  say('\nAssumed in the contract, and not tried by probe (platform.operations changes each):\n');
  writeOut(
    table(
      ['operation', 'request', 'method is', 'path is'],
      assumed.map(({ name, method, path, certainty }) => [
        name,
        `${method} ${path}`,
        WORDS[certainty.method],
        WORDS[certainty.path],
      ]),
    ),
  );
  say('\ndocs/coverage.md names the certainty of every operation, field and reply.');
  if (nothing) say('Nothing was observed yet: placement-sync probe --company KEY --vacancy KEY');
}
