import { expect, test } from 'vitest';
import { type VerifyEnd, verifyExitCode } from '../../../src/sync/read-back/verify-records.js';

const SAME: VerifyEnd = { interrupted: false, stops: [], ofRepair: 0, leftOver: 0 };
const STOPS = [{ code: 'breaker-open' }] as const;

test.each<[string, Partial<VerifyEnd>, number]>([
  ['everything is the same', {}, 0],
  ['a difference is left', { leftOver: 1 }, 3],
  ['every difference was repaired', { leftOver: 0, ofRepair: 0 }, 0],
  ['the repair left records rejected', { leftOver: 2, ofRepair: 3 }, 3],
  ['the repair itself was complete, but another entity needs correction', { leftOver: 0, ofRepair: 3 }, 0],
  ['the repair met a stopped area, before a difference', { leftOver: 2, ofRepair: 5 }, 5],
  ['an area stopped, before a difference', { leftOver: 2, stops: STOPS }, 5],
  ['the repair failed, before a stopped area', { leftOver: 2, ofRepair: 1, stops: STOPS }, 1],
  ['a signal came, before everything else', { interrupted: true, leftOver: 2, ofRepair: 5, stops: STOPS }, 1],
])('%s', (_name, changes, exitCode) => {
  expect(verifyExitCode({ ...SAME, ...changes })).toBe(exitCode);
});
