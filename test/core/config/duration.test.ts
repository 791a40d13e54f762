import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src/core/config/duration.js';
import { load, problemsOf, SMALL } from './config-folder.js';

describe('duration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['6h', 21_600_000],
    ['7d', 604_800_000],
    ['1.5h', 5_400_000],
    [' 10 m ', 600_000],
    ['0s', 0],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '30', '-1s', '1w', '10M', 's', '1h30m', '1e3s', '99999999999999999d'])(
    'does not read "%s"',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});

describe('duration settings', () => {
  it.each(['baseDelay', 'maxDelay', 'maxPause'])(
    'refuses a retry.%s for which no timer can be set',
    (name) => {
      expect(problemsOf(() => load(`${SMALL}retry: { ${name}: 25d }\n`))).toEqual([
        expect.stringMatching(new RegExp(`retry\\.${name}: must be at most 24d$`)),
      ]);
    },
  );
});
