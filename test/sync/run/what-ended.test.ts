import { expect, test } from 'vitest';
import { SyncError } from '../../../src/domain/errors.js';
import { causeOf, whatEnded } from '../../../src/sync/run/end.js';

function aborted(reason?: unknown): AbortSignal {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
}

const INTERRUPTED = new SyncError('interrupted', 'A signal stopped it.', { scope: 'run' });
const LOST = new SyncError('lease-lost', 'gone', { scope: 'run' });

test('only an abort without a reason of its own is a stop that somebody asked for', () => {
  expect(whatEnded(new AbortController().signal)).toBeNull();
  expect(whatEnded(aborted())).toBeNull();
  expect(whatEnded(aborted(LOST))).toBe(LOST);
  expect(whatEnded(aborted(new TypeError('a defect')))).toMatchObject({
    code: 'unexpected',
    message: 'a defect',
  });
});

test('work that was interrupted for another error ends with that error, not with a signal', () => {
  expect(causeOf(INTERRUPTED, aborted(new TypeError('a defect')))).toMatchObject({ code: 'unexpected' });
  expect(causeOf(INTERRUPTED, aborted(LOST))).toBe(LOST);
  expect(causeOf(INTERRUPTED, aborted())).toBe(INTERRUPTED);
  expect(causeOf(LOST, aborted())).toBe(LOST);
});
