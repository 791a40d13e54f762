import { generalCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

const HINT =
  'A role that may only read is enough: create role placement_sync_reader login; grant usage on schema … and select on the tables of the queries to it.';

export const rights = generalCheck({
  id: 'rights',
  levels: ['warn'],
  looksAt: 'whether the role of `source.url` may do more than read',
  remedy: 'Use a role that may only read. The worker reads in read-only transactions in any case.',
  judge: ({ source }) =>
    judged(source, ({ server, writable }) => {
      if (server.superuser) return [warn(`the role ${server.role} is a superuser`, HINT)];
      if (writable.length === 0) return [pass(`the role ${server.role} may only read`)];
      const names = `${writable.join(', ')}${writable.length === 5 ? ', …' : ''}`;
      return [
        warn(
          `the role ${server.role} may change data in ${names}`,
          `${HINT} The state tables may need another role: state.url.`,
        ),
      ];
    }),
});
