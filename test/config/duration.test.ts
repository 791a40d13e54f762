import { expect, it } from 'vitest';
import { parseDuration } from '../../src/config/duration.js';

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
