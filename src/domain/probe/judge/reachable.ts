import { describeSeen } from '../describe-seen.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried } from '../verdicts.js';

/** What the code of a failed connection means. */
const CAUSES: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, 'the certificate is not trusted'],
  [/^PROXY_/, 'the proxy refused it, or cannot be reached'],
  [/^ECONNREFUSED$/, 'nothing listens at this address'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the name of the host is not known'],
  [/^EPROTO$/, 'this port does not speak TLS, or no version that both know'],
];

/** A web page with success comes from something in front of the platform, whichever request it answers. */
export function judgeReachable(seen: ProbeSeen): Verdict {
  const { unknownFind, put, putAgain, rules } = seen;
  const first = unknownFind ?? put;
  if (first === null) return notTried(seen);
  if (first.kind !== 'answered') {
    const [, cause] = CAUSES.find(([code]) => code.test(first.code)) ?? [];
    return differs(`${describeSeen(first)}${cause === undefined ? '' : `: ${cause}`}`);
  }
  const { status } = first;
  if (status >= 300 && status <= 399) return differs(`HTTP ${status}, a redirect, which is never followed`);
  const page = first.html ? first : [put, putAgain].find((reply) => isPage(reply));
  if (page?.kind === 'answered') {
    return differs(`HTTP ${page.status}, a web page: something in front of the platform answers`);
  }
  return confirmed(`it answers over ${rules.encrypted ? 'https' : 'http'} (HTTP ${status})`);
}

function isPage(reply: ProbeSeen['put']): boolean {
  return reply?.kind === 'answered' && reply.html && reply.status <= 299;
}
