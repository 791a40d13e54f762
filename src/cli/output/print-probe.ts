import type { CheckedAssumption, CheckResult } from '../../domain/probe/probe-check.js';
import type { ProbeResult } from '../../sync/probe/run-probe.js';
import type { Colour } from './colours.js';
import { say } from './write.js';

const COLOURS: Readonly<Record<CheckResult, Colour>> = {
  confirmed: 'green',
  differs: 'red',
  unknown: 'yellow',
};

/** What a first contact found, for people. */
export function printProbe({ checks, exitCode, unfinished }: ProbeResult, stopped: boolean): void {
  for (const check of checks) printCheck(check);
  const count = (result: CheckResult) => checks.filter((check) => check.result === result).length;
  say(`\n${count('confirmed')} confirmed, ${count('differs')} different, ${count('unknown')} unknown.`);
  if (stopped) say('Stopped by a signal.');
  if (exitCode === 5) say('The platform did not answer all requests. Try again later: nothing is lost.');
  if (unfinished) {
    say(
      'The last Put of the whole company failed, so the platform may hold it without one field. status and explain show when it is sent again.',
    );
  }
  if (count('differs') > 0)
    say('Set what stands beside each difference, and probe again before the first run.');
}

/** One assumption. `when`: when it was observed; absent: now. */
export function printCheck(
  { id, assumption, result, seen, setting }: CheckedAssumption,
  when?: string,
): void {
  const lines = [
    `${result.padEnd(9)}  ${id}: ${assumption}`,
    `             ${seen}${when === undefined ? '' : ` (${when})`}`,
    ...(result === 'differs' ? [`             setting: ${setting}`] : []),
  ];
  say(lines.join('\n'), { part: result, colour: COLOURS[result] });
}
