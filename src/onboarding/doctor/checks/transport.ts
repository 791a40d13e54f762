import { isLoopback } from '../../../runtime/loopback.js';
import { generalCheck } from '../check.js';
import { pass, warn } from '../finding.js';

export const transport = generalCheck({
  id: 'transport',
  levels: ['warn'],
  looksAt: 'whether the platform is reached by https',
  remedy: 'Write `https://` in `baseUrl`.',
  judge: ({ areas }) =>
    areas.map(({ area, baseUrl }) => {
      const { protocol, hostname, host } = new URL(baseUrl);
      if (protocol === 'https:') return pass(`${area}: https to ${host}`);
      if (isLoopback(hostname)) return pass(`${area}: http, on this computer`);
      return warn(
        `${area}: http to ${host}: everybody on the way can read what is sent, and credentials are of no use against that`,
        `Write https:// in platform.${area}.baseUrl.`,
      );
    }),
});
