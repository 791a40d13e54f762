import type { LoadedConfig } from '../../config/load.js';
import { groupBy } from '../../domain/group-by.js';
import type { CheckedAssumption, CheckResult } from '../../domain/probe/checks.js';
import { FIRST_CONTACT_AREA } from '../../entities/index.js';
import {
  type CoveredAssumption,
  probeEnvironment,
  type ProbeResult,
  readCoverage,
} from '../../sync/probe/run-probe.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredOperations } from '../compose/open-platforms.js';
import { runSettings, withState } from '../compose/open-state.js';
import { io } from '../io.js';
import { localTime } from '../../contract/time.js';
import { table } from '../output/table.js';
import { type Colour, say, widthOf, wrapText, writeJson, writeOut } from '../output/write.js';

export const coverageCommand: Handler = async ({ command, signal }) => {
  const { json = false } = command.opts<{ json?: boolean }>();
  const { config } = commandContext(command);
  const environment = probeEnvironment(runSettings(config), FIRST_CONTACT_AREA);
  return withState(config, signal, async (state) => {
    const checks = await readCoverage(state, environment);
    if (json) writeJson({ checks });
    else printCoverage(checks, environment, config.settings);
    return 0;
  });
};

function printCoverage(
  checks: readonly CoveredAssumption[],
  environment: string,
  settings: LoadedConfig['settings'],
): void {
  say(`Observed of ${environment}:\n`);
  const nothing = checks.every(({ observedAt }) => observedAt === null);
  for (const { observedAt, ...check } of checks) {
    const when = observedAt === null ? undefined : localTime(observedAt, settings.platform.timeZone);
    printCheck(check, { when, brief: nothing });
  }
  const assumed = Object.values(configuredOperations(settings)).filter(({ certainty }) =>
    [certainty.method, certainty.path].includes('assumed'),
  );
  say('\nAssumed in the contract, and not tried by probe (platform.operations changes each):\n');
  writeOut(
    table(
      ['operation', 'request', 'method is', 'path is'],
      assumed.map(({ name, method, path, certainty }) => [
        name,
        `${method} ${path}`,
        certainty.method,
        certainty.path,
      ]),
    ),
  );
  say('\ndocs/coverage.md names the certainty of every operation, field and reply.');
  if (nothing) say('Nothing was observed yet: placement-sync probe --company KEY --vacancy KEY');
}

const COLOURS: Readonly<Record<CheckResult, Colour>> = {
  confirmed: 'green',
  differs: 'red',
  unknown: 'yellow',
};

export function printProbe({ checks, exitCode, unfinished }: ProbeResult, stopped: boolean): void {
  for (const alike of byReason(checks)) {
    const [check] = alike;
    if (check !== undefined && alike.length === 1) printCheck(check);
    else if (check !== undefined) print(check.result, alike.map(({ id }) => id).join(', '), [check.seen]);
  }
  const count = (result: CheckResult) => checks.filter((check) => check.result === result).length;
  say(`\n${count('confirmed')} confirmed, ${count('differs')} different, ${count('unknown')} unknown.`);
  if (stopped) say('Stopped by a signal.');
  if (unfinished) {
    say(
      'The last Put of the whole company failed, so the platform may hold it without one field. status and explain show when it is sent again.',
    );
  }
  if (exitCode === 5) {
    const away = checks.some(({ id, result }) => id === 'reachable' && result === 'differs');
    say(
      away
        ? 'The platform cannot be reached. Check the settings named above. If they are right, try again later.'
        : 'The platform did not answer all requests. Nothing is lost. Try again later.',
    );
  } else if (count('differs') > 0) {
    say('Change the setting below each difference. Then probe again, before the first run.');
  }
}

function printCheck(
  { id, assumption, result, seen, setting }: CheckedAssumption,
  { when, brief = false }: { readonly when?: string | undefined; readonly brief?: boolean } = {},
): void {
  print(result, `${id}: ${assumption}`, [
    ...(brief ? [] : [`${seen}${when === undefined ? '' : ` (${when})`}`]),
    ...(result === 'differs' ? [`setting: ${setting}`] : []),
  ]);
}

const INDENT = 11;

function print(result: CheckResult, head: string, details: readonly string[]): void {
  const first = `${result.padEnd(INDENT)}${head}`;
  const rest = details.map((line) => `${' '.repeat(INDENT + 2)}${line}`);
  // Aligned below the text, not below the result.
  const text = [wrapText(first, widthOf(io().stdout), INDENT), ...rest].join('\n');
  say(text, { part: result, colour: COLOURS[result] });
}

/** The checks, in order; those that are unknown for the same reason together, where the first of them stands. */
function byReason(checks: readonly CheckedAssumption[]): readonly (readonly CheckedAssumption[])[] {
  return [...groupBy(checks, ({ id, result, seen }) => (result === 'unknown' ? seen : id)).values()];
}
