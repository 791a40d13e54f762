import { describe, expect, test } from 'vitest';
import { isDoubted, isUnshown } from '../../../src/features/verify/verify-entity.js';
import { type VerifyEnd, verifyExitCode } from '../../../src/features/verify/verify-records.js';

describe('doubted field', () => {
  test.each([
    ['one record with nothing in it', { compared: 1, drifted: 1, empty: 1, silent: 0 }, false],
    ['two of two with nothing in them', { compared: 2, drifted: 2, empty: 2, silent: 0 }, true],
    ['two of two with another value', { compared: 2, drifted: 2, empty: 0, silent: 0 }, false],
    ['one of three', { compared: 3, drifted: 1, empty: 1, silent: 0 }, false],
    ['two of three', { compared: 3, drifted: 2, empty: 0, silent: 0 }, true],
    ['half of four', { compared: 4, drifted: 2, empty: 2, silent: 0 }, false],
    [
      'two of four, and the others have nothing on either side',
      { compared: 4, drifted: 2, empty: 2, silent: 2 },
      true,
    ],
    ['none', { compared: 0, drifted: 0, empty: 0, silent: 0 }, false],
  ])('a field that differs in %s is doubted: %j → %s', (_, counts, doubted) => {
    expect(isDoubted(counts)).toBe(doubted);
  });

  test('after the ledger went back in time many records may differ in one field; not that nothing is shown in it', () => {
    expect(isDoubted({ compared: 9, drifted: 8, empty: 0, silent: 0 }, true)).toBe(false);
    expect(isDoubted({ compared: 9, drifted: 9, empty: 9, silent: 0 }, true)).toBe(true);
  });

  test.each([
    [
      'every record that was sent with it shows nothing',
      { compared: 5, drifted: 3, empty: 3, silent: 2 },
      true,
    ],
    ['one record shows something else', { compared: 4, drifted: 4, empty: 3, silent: 0 }, false],
    ['one record shows it', { compared: 4, drifted: 3, empty: 3, silent: 0 }, false],
    ['only one record was sent with it', { compared: 4, drifted: 1, empty: 1, silent: 3 }, false],
    ['no record was sent with it', { compared: 4, drifted: 0, empty: 0, silent: 4 }, false],
  ])('a field is shown to nobody when %s: %j → %s', (_, counts, unshown) => {
    expect(isUnshown(counts)).toBe(unshown);
  });
});

describe('verify exit code', () => {
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
    [
      'a signal came, before everything else',
      { interrupted: true, leftOver: 2, ofRepair: 5, stops: STOPS },
      1,
    ],
  ])('%s', (_name, changes, exitCode) => {
    expect(verifyExitCode({ ...SAME, ...changes })).toBe(exitCode);
  });
});
