import { describeSeen } from '../describe-seen.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried } from '../verdicts.js';

/** Node's codes of a certificate that it refuses. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** A web page comes from something in front of the platform. */
export function judgeReachable(seen: ProbeSeen): Verdict {
  const first = seen.unknownFind ?? seen.put;
  if (first === null) return notTried(seen);
  if (first.kind !== 'answered') {
    const untrusted = CERTIFICATE.test(first.code) ? ': the certificate is not trusted' : '';
    return differs(`${describeSeen(first)}${untrusted}`);
  }
  const { status, html } = first;
  if (status >= 300 && status <= 399) return differs(`HTTP ${status}, a redirect, which is never followed`);
  if (html) return differs(`HTTP ${status}, a web page: something in front of the platform answers`);
  return confirmed(`HTTP ${status} over ${seen.rules.encrypted ? 'https' : 'http'}`);
}
