import { createHmac } from 'node:crypto';
import { bodyDigest } from './body-digest.js';
import type { SignatureProfile, SigningInput } from './signature-profile.js';

/** Base64 of the raw SHA-256 of the body; left out when there is no body. */
const digests = bodyDigest({ encoding: 'base64', ofEmpty: false });

function stringToSign(input: SigningInput): string {
  const bodyDigest = input.digest ?? digests.digest(input.body);
  const lines = [
    `Client-Id:${input.clientId}`,
    `Request-Id:${input.requestId}`,
    `Request-Timestamp:${input.timestamp}`,
    `Request-Target:${input.requestTarget}`,
  ];
  if (bodyDigest !== null) lines.push(`Digest:${bodyDigest}`);
  return lines.join('\n');
}

/**
 * The default profile. Components, their order and the digest are publicly documented by the operator; the line
 * form and the `HMACSHA256=` prefix are assumed, after the published scheme that the operator's page follows.
 * Method, host and query are not signed.
 */
export const digestLines: SignatureProfile = {
  name: 'digest-lines',
  ...digests,
  stringToSign,
  signature(input, secret) {
    return `HMACSHA256=${createHmac('sha256', secret).update(stringToSign(input)).digest('base64')}`;
  },
};
