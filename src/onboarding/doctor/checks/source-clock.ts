import { generalCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

const MOST_MS = 60_000;

export const sourceClock = generalCheck({
  id: 'source-clock',
  levels: ['warn'],
  looksAt: 'whether the clock of the source agrees with the clock of this computer',
  remedy: 'Synchronise both clocks (NTP): conditions such as `expire_at > now()` use that of the source.',
  judge: ({ source }) =>
    judged(source, ({ clockAheadMs }) => {
      if (Math.abs(clockAheadMs) <= MOST_MS) return [pass('the clock of the source agrees with ours')];
      const seconds = Math.round(Math.abs(clockAheadMs) / 1000).toLocaleString('en-US');
      return [
        warn(
          `the clock of the source is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} ours`,
          'Synchronise both clocks (NTP).',
        ),
      ];
    }),
});
