/** What the message of a failed attempt shows, with its code, and what to do; the first that fits. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /\(PROXY_\w+\)/,
    'The proxy is in the way, not the platform: check its address, user and password, and its certificate. Where no proxy is needed, name the platform in NO_PROXY.',
  ],
  [
    // Codes with which Node refuses a certificate; nothing was sent then.
    /\((CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)\w*\)/,
    'The certificate of the platform is not trusted: check the clock of this machine, then ask the operator of the platform. For a certificate of your own authority, as gateways and some proxies have it, name its file in platform.ca (or in NODE_EXTRA_CA_CERTS).',
  ],
  [
    /\(ERR_REPLY_TOO_LARGE\)/,
    'The platform answers, but with more than any record needs: ask its operator, or check whether a proxy answers in its place.',
  ],
  [
    /no complete reply within /,
    'The platform seems to be down, or slower than the timeout of the area (platform.jobs.timeout, platform.training.timeout) allows.',
  ],
  [
    /^Not reached: /,
    'The platform seems to be down or unreachable. If only a proxy leads out of your network, name it in platform.proxy.',
  ],
];

/**
 * The likely cause of failures in a row, and what to do.
 * @param lastError message of the last one, with its code
 */
export function causeOfOutage(lastError: string): string {
  const [, cause] = CAUSES.find(([shows]) => shows.test(lastError)) ?? [];
  return cause ?? 'The platform seems to be down or unreachable.';
}
