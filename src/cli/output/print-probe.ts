import type { CheckedAssumption, CheckResult } from '../../domain/probe/check.js';
import type { ProbeResult } from '../../sync/probe/run-probe.js';
import { io } from '../io.js';
import type { Colour } from './colours.js';
import { wrapText } from './wrap-text.js';
import { say, widthOf } from './write.js';

const COLOURS: Readonly<Record<CheckResult, Colour>> = {
  confirmed: 'green',
  differs: 'red',
  unknown: 'yellow',
};

/** What a first contact found, for people. */
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

/** One assumption. `when`: when it was observed; absent: now. `brief`: without what was seen, because nothing was. */
export function printCheck(
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
  const groups = new Map<string, CheckedAssumption[]>();
  for (const check of checks) {
    const reason = check.result === 'unknown' ? check.seen : check.id;
    groups.set(reason, [...(groups.get(reason) ?? []), check]);
  }
  return [...groups.values()];
}
