import { generalCheck } from '../check.js';
import { pass, warn } from '../finding.js';

export const platform = generalCheck({
  id: 'platform',
  levels: ['warn'],
  looksAt: 'whether the platform answers',
  remedy: 'Check `baseUrl`, the proxy and the firewall (docs/network.md).',
  judge: ({ areas }) =>
    areas.flatMap(({ area, baseUrl, finds, untried }) => {
      if (untried !== null) return [];
      const replies = finds.map(({ reply }) => reply);
      const answer = replies.find((reply) => reply.kind === 'answered');
      const { host } = new URL(baseUrl);
      if (answer?.kind === 'answered') return pass(`${area}: ${host} answers`);
      const [silent] = replies;
      const code = silent === undefined || silent.kind === 'answered' ? '' : ` (${silent.code})`;
      return warn(
        `${area}: ${host} does not answer${code}`,
        `Check platform.${area}.baseUrl, the proxy and the firewall (docs/network.md).`,
      );
    }),
});
