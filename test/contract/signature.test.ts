import { describe, expect, it, test } from 'vitest';
import {
  chooseSignature,
  secretProblem,
  SIGNATURE_PROFILE_NAMES,
  signatureProfile,
  type SignatureTemplate,
  type SigningInput,
  templateProblems,
  templateProfile,
  verifySignature,
} from '../../src/contract/signature.js';
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

// Expected values computed once with openssl (`dgst -sha512 -hmac`, `dgst -sha256 -mac HMAC -macopt hexkey:`).
describe('another hash, or a secret that is decoded first', () => {
  const HEX_KEY = '00ff10a7deadbeef';
  const SIGNED = 'HMACSHA256=F+5Q46A8gq1QT4bxke19A4LJNYtuu60X4eEIHcE7nHQ=';
  const choose = (choice: Partial<Parameters<typeof chooseSignature>[0]>) =>
    chooseSignature({ profile: 'digest-lines', ...choice });

  it('HMAC-SHA-512 has a prefix of its own', () => {
    expect(choose({ hmac: 'sha512' }).signature(put, 'sandbox-secret')).toBe(
      'HMACSHA512=3v2DnDm9GF1UT91BWb3OeiSO34XwlsJtH2H3aLx2NwkIz3Cdzo7xBWQvHP9ApE35NGd+G2eo2YH3pQyakoJBKw==',
    );
  });

  it.each([
    ['hex', HEX_KEY],
    ['hex', HEX_KEY.toUpperCase()],
    ['base64', 'AP8Qp96tvu8='],
    ['base64', 'AP8Qp96tvu8'],
  ] as const)('a secret in %s is the key that it stands for: %s', (secretEncoding, secret) => {
    expect(choose({ secretEncoding }).signature(put, secret)).toBe(SIGNED);
    expect(secretProblem(secret, secretEncoding)).toBeNull();
  });

  it.each([
    ['hex', 'abc'],
    ['hex', 'secret'],
    ['base64', 'a secret'],
    ['base64', 'abcde'],
  ] as const)('%s cannot be %s', (encoding, secret) => {
    expect(secretProblem(secret, encoding)).toBe(`is not ${encoding}`);
    expect(choose({ secretEncoding: encoding }).secretProblem(secret)).toBe(`is not ${encoding}`);
  });

  it('counts for a template, too', () => {
    const template: SignatureTemplate = {
      string: '{method}:{path}',
      digest: 'none',
      encoding: 'hex',
      prefix: 'v1=',
    };
    expect(choose({ template, hmac: 'sha512' }).signature(put, 'x')).toMatch(/^v1=[\da-f]{128}$/);
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

describe('body digest', () => {
  const template = (digest: 'base64' | 'hex' | 'none') =>
    chooseSignature({
      profile: 'digest-lines',
      template: {
        string: digest === 'none' ? '{requestId}' : '{requestId}\n{digest}',
        digest,
        encoding: 'hex',
        prefix: '',
      },
    });

  test.each([
    chooseSignature({ profile: 'digest-lines' }),
    chooseSignature({ profile: 'method-path-hex' }),
    template('hex'),
    template('none'),
  ])('$name gives a body in pieces the digest of the whole', (profile) => {
    for (const pieces of [['{"a":', '', '1}'], ['{"a":1}'], [''], []]) {
      const digest = profile.startDigest();
      for (const piece of pieces) digest.add(Buffer.from(piece));
      expect([pieces, digest.end()]).toEqual([pieces, profile.digest(Buffer.from(pieces.join('')))]);
    }
  });
});

const METHOD_PATH_HEX: SignatureTemplate = {
  string: '{method}\n{path}\n{clientId}\n{requestId}\n{timestamp}\n{digest}',
  digest: 'hex',
  encoding: 'hex',
  prefix: '',
};

const empty: SigningInput = { ...put, body: new Uint8Array() };

describe('a template', () => {
  const template = (string: string, rest: Partial<SignatureTemplate> = {}): SignatureTemplate => ({
    ...METHOD_PATH_HEX,
    string,
    ...rest,
  });
  const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

  it('takes a line feed written as two characters', () => {
    const written = template('{requestId}\\n{timestamp}\\n{digest}');
    expect(templateProfile(written).stringToSign(get)).toBe(`req-7\n2022-09-22T01:51:00Z\n${EMPTY_DIGEST}`);
  });

  it.each([
    ['{requestId}\n{timestamp}\nDigest: {digest}', 'req-7\n2022-09-22T01:51:00Z'],
    ['digest={digest}\n{requestId}\n{timestamp}', 'req-7\n2022-09-22T01:51:00Z'],
    ['{requestId}\n{timestamp}\n{digest}', `req-7\n2022-09-22T01:51:00Z\n${EMPTY_DIGEST}`],
    ['{requestId}:{timestamp}:{digest}', `req-7:2022-09-22T01:51:00Z:${EMPTY_DIGEST}`],
    [
      '{requestId}\n\n{timestamp}\nsha256 {path} {digest}',
      `req-7\n\n2022-09-22T01:51:00Z\nsha256 ${put.requestTarget} ${EMPTY_DIGEST}`,
    ],
  ])('%j without a body leaves out a labelled digest and nothing else', (string, expected) => {
    expect(templateProfile(template(string)).stringToSign(get)).toBe(expected);
    expect(templateProfile(template(string)).stringToSign(empty)).toBe(expected);
  });

  it('signs nothing of the body with digest none', () => {
    const profile = templateProfile(template('{requestId}{timestamp}', { digest: 'none' }));
    expect(profile.digest(put.body)).toBeNull();
    expect(profile.stringToSign(put)).toBe('req-72022-09-22T01:51:00Z');
  });

  it('does not read placeholders or patterns in values', () => {
    const profile = templateProfile(template('{clientId} {requestId} {timestamp} {digest}'));
    const input = { ...get, clientId: '{digest}$&', requestId: '{method}' };
    expect(profile.stringToSign(input)).toBe(`{digest}$& {method} 2022-09-22T01:51:00Z ${EMPTY_DIGEST}`);
  });

  it('verifies what it signs and refuses another body', () => {
    const profile = templateProfile(template('{requestId}\n{timestamp}\nDigest:{digest}', { prefix: 'v1=' }));
    const signature = profile.signature(put, 'secret');
    expect(signature).toMatch(/^v1=[0-9a-f]{64}$/);
    expect(verifySignature(profile, put, 'secret', signature)).toBe(true);
    expect(verifySignature(profile, { ...put, body: Buffer.from('{}') }, 'secret', signature)).toBe(false);
    expect(verifySignature(profile, get, 'secret', signature)).toBe(false);
  });
});

describe('what is wrong with a template', () => {
  const KNOWN = '{method}, {path}, {clientId}, {requestId}, {timestamp}, {digest}';

  it.each<[string, SignatureTemplate['digest'], string[]]>([
    [
      '{requestId}{timestamp}{digest}{nonce}{nonce}',
      'hex',
      [`has an unknown placeholder {nonce}; known are ${KNOWN}`],
    ],
    ['{requestId}{timestamp}{Digest}', 'none', [`has an unknown placeholder {Digest}; known are ${KNOWN}`]],
    ['{requestId}{timestamp}{}', 'none', [`has an unknown placeholder {}; known are ${KNOWN}`]],
    [
      '{requestId}{timestamp}{digest',
      'none',
      [`has a brace that belongs to no placeholder; known are ${KNOWN}`],
    ],
    [
      'Signature',
      'none',
      [`has no placeholder: every request would have the same signature; known are ${KNOWN}`],
    ],
    ['{requestId}{timestamp}{digest}', 'none', ['has {digest} although digest is none']],
    ['{requestId}{timestamp}', 'hex', []],
    ['{requestId}{timestamp}{digest}', 'base64', []],
  ])('%j with digest %s', (string, digest, problems) => {
    expect(templateProblems({ string, digest, encoding: 'hex', prefix: '' })).toEqual(problems);
  });

  it('is told instead of a profile', () => {
    expect(() => templateProfile({ ...METHOD_PATH_HEX, string: '{secret}' })).toThrow(
      /^the signature template has an unknown placeholder \{secret\}/,
    );
  });
});

describe('the choice of a signature', () => {
  it('is the named profile without a template, and the template with one', () => {
    expect(chooseSignature({ profile: 'method-path-hex' })).toBe(signatureProfile('method-path-hex'));
    expect(chooseSignature({ profile: 'digest-lines', template: null })).toBe(
      signatureProfile('digest-lines'),
    );
    expect(chooseSignature({ profile: 'digest-lines', template: METHOD_PATH_HEX }).signature(put, 's')).toBe(
      signatureProfile('method-path-hex').signature(put, 's'),
    );
  });
});
