import { expect, test } from 'vitest';
import { checkSchedule } from '../../src/service/schedule.js';

test.each(['*/10 * * * *', '30 */5 * * * *', '0 2 * * 1-5', '0 0 * jan,jul mon'])('takes %s', (sync) => {
  expect(() => checkSchedule({ sync, verify: null })).not.toThrow();
  expect(() => checkSchedule({ sync, verify: sync })).not.toThrow();
});

test.each(['99 * * * *', '0 24 * * *', '*/0 * * * *', '0 0 31 2 *', 'a b c d e'])(
  'refuses %s, which is never due, and names the setting',
  (never) => {
    const refused = (schedule: Parameters<typeof checkSchedule>[0]) => () => checkSchedule(schedule);
    expect(refused({ sync: never, verify: null })).toThrow(`schedule.sync: "${never}"`);
    expect(refused({ sync: '0 2 * * *', verify: never })).toThrow(`schedule.verify: "${never}"`);
  },
);
