import { isLoopback } from '../../../runtime/loopback.js';
import { generalCheck } from '../check.js';
import { pass } from '../finding.js';

const REHEARSAL =
  /(^|[.-])(sandbox|staging|stage|stg|dev|development|test|testing|uat|demo|mock|local)([.-]|\d|$)/i;

export const platformKind = generalCheck({
  id: 'platform-kind',
  levels: [],
  looksAt: 'whether the platform looks like a sandbox or like production, by its address',
  remedy: 'Use another `state.schema` for each platform.',
  judge: ({ areas }) =>
    areas.map(({ area, baseUrl }) => {
      const { hostname, host, pathname } = new URL(baseUrl);
      if (isLoopback(hostname)) return pass(`${area}: a sandbox on this computer (${host})`);
      return REHEARSAL.test(hostname) || REHEARSAL.test(pathname.replaceAll('/', '.'))
        ? pass(`${area}: a sandbox, by its address (${host})`)
        : pass(`${area}: production, by its address (${host}): run sends real records there`);
    }),
});
