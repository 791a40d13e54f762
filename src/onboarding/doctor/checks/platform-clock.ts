import { clockSkew, describeClockSkew } from '../../../domain/reply/reply.js';
import { generalCheck } from '../check.js';
import { pass, undone, warn } from '../finding.js';

export const platformClock = generalCheck({
  id: 'platform-clock',
  levels: ['warn'],
  looksAt: 'whether our clock agrees with the one of the platform, from the `Date` of its replies',
  remedy: 'Synchronise the clock of this computer (NTP): signatures hold a time.',
  judge: ({ areas }) =>
    areas.flatMap(({ area, finds, untried }) => {
      if (untried !== null) return [];
      const skews = finds.map(({ reply }) =>
        reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null,
      );
      const known = skews.find((skew) => skew !== null);
      if (known === undefined) return undone(`${area}: no reply has a Date header`);
      const words = describeClockSkew(known);
      return words === null
        ? pass(`${area}: our clock agrees with the platform's`)
        : warn(`${area}: ${words}`, 'Synchronise the clock of this computer (NTP): signatures hold a time.');
    }),
});
