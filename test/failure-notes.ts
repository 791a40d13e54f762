import { onTestFailed, TestRunner } from 'vitest';
import type { SyncEvent } from '../src/core/domain/events.js';

/**
 * Why the program did what a test did not expect. A test compares what came out ("read: 120 → 0"); the reason is an error
 * that the program handled, and reported as it should. So each world notes what its program reports, and when its test
 * fails, the notes stand in the failure's own message. Of a test that passes nothing is printed.
 */

/** Lines of one output that are shown. */
const SHOWN_LINES = 40;

/** Per test, what gives its notes. */
const notes = new WeakMap<object, (() => readonly string[])[]>();

/** When the current test fails, what `read` gives then is added to the message of its failure. Without a test: nothing. */
export function noteForFailure(read: () => readonly string[]): void {
  const test = TestRunner.getCurrentTest();
  if (!test) return;
  const known = notes.get(test);
  known?.push(read);
  if (known) return;
  const all = [read];
  notes.set(test, all);
  onTestFailed(({ task }) => {
    const [error] = task.result?.errors ?? [];
    const found = [...new Set(all.flatMap((one) => one()))];
    if (error && found.length > 0) error.message += `\n\nWhat the program reported:\n${found.join('\n')}`;
  });
}

/** What ended an entity or a run: code, message, hint, and for a defect where in the code it is. */
export function failuresIn(events: readonly SyncEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'entity-failed' && event.type !== 'run-failed') return [];
    const what = event.type === 'entity-failed' ? `${event.entity} failed` : 'run failed';
    const stack = event.type === 'run-failed' ? event.stack : undefined;
    return [
      [
        `  ${what} (${event.code}): ${event.message}`,
        ...(event.hint === undefined ? [] : [`    hint: ${event.hint}`]),
        ...(stack === undefined ? [] : [stack]),
      ].join('\n'),
    ];
  });
}

/** Of a command that did not end with 0: how it ended (null: by a signal; undefined: it still runs), and its last lines. */
export function commandFailure(
  command: string,
  exitCode: number | null | undefined,
  output: string,
): string[] {
  if (exitCode === 0) return [];
  const ends = { null: 'ended by a signal', undefined: 'still running' };
  const how = typeof exitCode === 'number' ? `exit code ${exitCode}` : ends[`${exitCode}`];
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  return [[`  placement-sync ${command}: ${how}`, ...lines.map((line) => `    ${line}`)].join('\n')];
}
