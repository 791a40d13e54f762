import { expect, test } from 'vitest';
import { SyncError } from '../src/core/domain/errors.js';
import type { SyncEvent } from '../src/core/domain/events.js';
import { announceFailure } from '../src/core/run/end.js';
import { commandFailure, failuresIn, noteForFailure } from './failure-notes.js';

/** How the planted failure was reported. */
let reported = '';

test.fails('a test fails, as planted', ({ task, onTestFailed }) => {
  // The hook that comes first runs last.
  onTestFailed(() => void (reported = task.result?.errors?.[0]?.message ?? ''));
  noteForFailure(() =>
    failuresIn([{ type: 'run-failed', code: 'lease-lost', message: 'gone', hint: 'Look.' }]),
  );
  throw new Error('planted');
});

test('what the program reported is added to the failure of its test', () => {
  expect(reported).toBe(
    'planted\n\nWhat the program reported:\n  run failed (lease-lost): gone\n    hint: Look.',
  );
});

test('of a defect the frames are noted, of an error that the program knows its code and hint', () => {
  const events: SyncEvent[] = [];
  const emit = (event: SyncEvent) => events.push(event);
  announceFailure({ emit }, new TypeError('Cannot read x of Budi'));
  announceFailure({ emit }, new SyncError('lease-lost', 'gone', { scope: 'run', hint: 'Look.' }));
  const [defect, known] = failuresIn(events);
  expect(defect).toMatch(
    /^ {2}run failed \(unexpected\): Cannot read x of Budi\n +at .*failure-notes\.test\.ts:\d+/,
  );
  expect(known).toBe('  run failed (lease-lost): gone\n    hint: Look.');
  expect(events.map((event) => 'stack' in event && String(event.stack).includes('Budi'))).toEqual([
    false,
    false,
  ]);
});

test('a command is noted unless it ended well, also one that never ends', () => {
  expect(commandFailure('run', 0, 'all well')).toEqual([]);
  expect(commandFailure('run --json', 1, 'one\ntwo\n')).toEqual([
    '  placement-sync run --json: exit code 1\n    one\n    two',
  ]);
  expect(commandFailure('start', undefined, '')).toEqual(['  placement-sync start: still running\n    ']);
  expect(commandFailure('start', null, '')).toEqual(['  placement-sync start: ended by a signal\n    ']);
});
