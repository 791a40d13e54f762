import { expect, test } from 'vitest';
import { chooseSignature } from '../../src/contract/signature.js';

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
