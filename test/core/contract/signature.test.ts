import { describe, expect, it, test } from 'vitest';
import {
  SIGNATURE_PROFILE_NAMES,
  signatureProfile,
  type SigningInput,
  verifySignature,
} from '../../../src/core/contract/signature.js';
import { readFixture } from './fixtures.js';

interface Vector {
  name: string;
  method: string;
  secret: string;
  clientId: string;
  requestId: string;
  timestamp: string;
  requestTarget: string;
  body: string | null;
  digest: string | null;
  stringToSign?: string;
  signature: string;
}

const { vectors } = readFixture('signature-vectors.json') as { vectors: Vector[] };

const inputOf = (vector: Vector): SigningInput => ({
  method: vector.method,
  clientId: vector.clientId,
  requestId: vector.requestId,
  timestamp: vector.timestamp,
  requestTarget: vector.requestTarget,
  body: vector.body === null ? null : Buffer.from(vector.body, 'utf8'),
  // The published vector gives a digest without its body.
  ...(vector.body === null && vector.digest !== null ? { digest: vector.digest } : {}),
});

const put: SigningInput = {
  method: 'PUT',
  clientId: 'client-1',
  requestId: 'req-7',
  timestamp: '2022-09-22T01:51:00Z',
  requestTarget: '/api/v1/institutions/1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
  body: Buffer.from('{"name":"LPK Cipta Karya"}'),
};
const get: SigningInput = { ...put, method: 'GET', body: null };

describe('digest-lines', () => {
  const profile = signatureProfile('digest-lines');

  it('is tested by four vectors, one of them published by a third party', () => {
    expect(vectors.map(({ name }) => name)).toContain('public-digest-lines');
    expect(vectors).toHaveLength(4);
  });

  it.each(vectors)('signs $name as the vector says', (vector) => {
    const input = inputOf(vector);
    if (input.digest === undefined) expect(profile.digest(input.body)).toBe(vector.digest);
    if (vector.stringToSign !== undefined) expect(profile.stringToSign(input)).toBe(vector.stringToSign);
    expect(profile.signature(input, vector.secret)).toBe(vector.signature);
  });

  it('has no digest line for an empty body', () => {
    const input = { ...inputOf(vectors[0]!), body: new Uint8Array() };
    expect(profile.stringToSign(input)).toBe(vectors[0]!.stringToSign);
  });
});

// Expected values computed once with openssl (`dgst -sha256 [-hmac]`), not with this project's code.
describe('method-path-hex', () => {
  const profile = signatureProfile('method-path-hex');
  it('joins method, path, the headers and the hex digest of the body', () => {
    expect(profile.stringToSign(put)).toBe(
      'PUT\n/api/v1/institutions/1edd9893-f1a3-45dd-89d4-bc4dc9a071d0\nclient-1\nreq-7\n2022-09-22T01:51:00Z\n' +
        '00024bc4d5b2d1a091e8351e344184fe60a1efb59ba5f60c404061ea70b4bd9b',
    );
  });

  it('takes the digest of the empty string without a body', () => {
    expect(profile.stringToSign(get).split('\n').at(-1)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it.each([
    ['PUT', put, '39d6af4fbb53431f90ec98460ccd81e4ad1cb31503e5f2eddd52f1ee0f54e605'],
    ['GET', get, '7a19358fb81fca34a775d26ee281a641d2fc6858845e4981785e1cb819f98929'],
  ])('signs a %s in lower-case hex without prefix', (_name, input, signature) => {
    expect(profile.signature(input, 'sandbox-secret')).toBe(signature);
  });
});

describe('verifying', () => {
  const input = inputOf(vectors[1]!);
  const { secret } = vectors[1]!;

  it.each(SIGNATURE_PROFILE_NAMES)('accepts what %s signs', (name) => {
    const profile = signatureProfile(name);
    expect(verifySignature(profile, input, secret, profile.signature(input, secret))).toBe(true);
  });

  it.each<[string, SigningInput, string]>([
    ['another body', { ...input, body: Buffer.from('{}') }, secret],
    ['another path', { ...input, requestTarget: '/api/v1/jobs' }, secret],
    ['another request id', { ...input, requestId: 'req-0003' }, secret],
    ['another time', { ...input, timestamp: '2022-09-22T01:51:01Z' }, secret],
    ['another secret', input, 'other'],
  ])('refuses the signature of %s', (_name, other, otherSecret) => {
    const profile = signatureProfile('digest-lines');
    expect(verifySignature(profile, input, secret, profile.signature(other, otherSecret))).toBe(false);
  });

  it.each([[''], ['HMACSHA256='], ['ÿ'.repeat(55)]])('refuses %o without an exception', (received) => {
    expect(verifySignature(signatureProfile('digest-lines'), input, secret, received)).toBe(false);
  });
});

test.each(SIGNATURE_PROFILE_NAMES)('%s gives a body in pieces the digest of the whole', (name) => {
  const profile = signatureProfile(name);
  for (const pieces of [['{"a":', '', '1}'], ['{"a":1}'], [''], []]) {
    const digest = profile.startDigest();
    for (const piece of pieces) digest.add(Buffer.from(piece));
    expect([pieces, digest.end()]).toEqual([pieces, profile.digest(Buffer.from(pieces.join('')))]);
  }
});

test('no placeholder or pattern in a value is read', () => {
  const input = { ...get, clientId: '{digest}$&', requestId: '{method}' };
  expect(signatureProfile('digest-lines').stringToSign(input)).toContain(
    'Client-Id:{digest}$&\nRequest-Id:{method}\n',
  );
});
