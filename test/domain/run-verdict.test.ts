import { expect, test } from 'vitest';
import { runVerdict } from '../../src/domain/run-verdict.js';

const QUIET = {
  failed: false,
  interrupted: false,
  areaStopped: false,
  held: false,
  unsynced: false,
  leftOver: false,
};

test.each([
  [{}, 0, 'complete'],
  [{ leftOver: true }, 0, 'partial'],
  [{ unsynced: true }, 3, 'partial'],
  [{ unsynced: true, held: true }, 4, 'held'],
  [{ unsynced: true, held: true, areaStopped: true }, 5, 'aborted'],
  [{ unsynced: true, held: true, areaStopped: true, failed: true }, 1, 'failed'],
  [{ interrupted: true, areaStopped: true }, 1, 'aborted'],
] as const)('%o ends with exit code %i and outcome %s', (facts, exitCode, outcome) => {
  expect(runVerdict({ ...QUIET, ...facts })).toEqual({ exitCode, outcome });
});
