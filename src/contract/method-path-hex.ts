import { createHmac } from 'node:crypto';
import { bodyDigest } from './body-digest.js';
import type { SignatureProfile, SigningInput } from './signature-profile.js';

/** Lower-case hex SHA-256 of the body, of the empty string without one. */
const digests = bodyDigest({ encoding: 'hex', ofEmpty: true });

function stringToSign(input: SigningInput): string {
  return [
    input.method,
    input.requestTarget,
    input.clientId,
    input.requestId,
    input.timestamp,
    input.digest ?? digests.digest(input.body),
  ].join('\n');
}

/**
 * The scheme of a sister service of the same ministry: the same four headers over another string, and a
 * lower-case hex signature without prefix. Observed, not specified for this platform.
 */
export const methodPathHex: SignatureProfile = {
  name: 'method-path-hex',
  ...digests,
  stringToSign,
  signature(input, secret) {
    return createHmac('sha256', secret).update(stringToSign(input)).digest('hex');
  },
};
