import { expect, test } from 'vitest';
import { chooseSignature, type SignatureProfile } from '../../src/contract/signature.js';
import { isAuthentic } from '../../src/webhook/receive-webhook.js';

const DIGEST_LINES = chooseSignature({ profile: 'digest-lines' });
const SECRETS = ['first-secret', 'second-secret', 'third-secret'];
const PATH = '/webhooks/job-applications';
const HEAD = {
  clientId: 'partner',
  requestId: '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b11',
  timestamp: '2026-03-10T08:00:00Z',
  timestampMs: Date.parse('2026-03-10T08:00:00Z'),
};
const BODY = { length: 7, digest: 'digest' };

/** The head, signed with this secret. */
function signedWith(secret: string) {
  const input = { ...HEAD, method: 'POST', requestTarget: PATH, body: null, digest: BODY.digest };
  return { ...HEAD, signature: DIGEST_LINES.signature(input, secret) };
}

test.each([
  ['the first secret', 'first-secret', true],
  ['the last secret', 'third-secret', true],
  ['another secret', 'fourth-secret', false],
])('a request signed with %s', (_name, secret, authentic) => {
  const rules = { profile: DIGEST_LINES, secrets: SECRETS, signedPath: PATH };
  expect(isAuthentic(signedWith(secret), BODY, rules)).toBe(authentic);
});

test('every secret is compared, whichever fits, so that the time does not reveal which one it was', () => {
  const compared: string[] = [];
  const profile: SignatureProfile = {
    ...DIGEST_LINES,
    signature(input, secret) {
      compared.push(secret);
      return DIGEST_LINES.signature(input, secret);
    },
  };
  isAuthentic(signedWith('first-secret'), BODY, { profile, secrets: SECRETS, signedPath: PATH });
  expect(compared).toEqual(SECRETS);
});
