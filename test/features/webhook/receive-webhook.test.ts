import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signatureProfile, type SignatureProfile } from '../../../src/core/contract/signature.js';
import { isAuthentic, readWebhookTime } from '../../../src/features/webhook/receive-webhook.js';

describe('is authentic', () => {
  const DIGEST_LINES = signatureProfile('digest-lines');
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
});

describe('read webhook time', () => {
  const NOON = Date.UTC(2026, 2, 1, 12, 0, 0);

  test.each([
    ['2026-03-01T12:00:00Z', 0],
    ['2026-03-01T12:00:00+00:00', 0],
    ['2026-03-01T12:00:00-00:00', 0],
    ['2026-03-01T12:00:00+0000', 0],
    ['2026-03-01T12:00:00+00', 0],
    ['2026-03-01t12:00:00z', 0],
    ['2026-03-01T12:00Z', 0],
    ['2026-03-01T12Z', 0],
    ['20260301T120000Z', 0],
    ['20260301T1200+0000', 0],
    ['2026-03-01T12:00:00.250Z', 250],
    ['2026-03-01T12:00:00,250+00:00', 250],
    ['2026-03-01T12:00:00.250999Z', 250],
    ['2026-03-01T12:00:00.123456789Z', 123],
    ['2026-03-01T12:00.5Z', 30_000],
    ['2026-03-01T11:59:60Z', 0],
    ['2026-03-01T24:00:00Z', 12 * 3_600_000],
    ['2026-03-01T19:00:00+07:00', 0],
    ['2026-03-01T08:30:00-0330', 0],
    ['2026-03-01T12:00:00', 0],
    ['2026-03-01T12:00:00.250', 250],
    ['20260301T120000', 0],
    ['2026-03-01 12:00:00', 0],
    ['2026-03-01 12:00:00Z', 0],
    ['1772366400', 0],
    ['1772366400.25', 250],
    ['1772366400250', 250],
  ])('%s is read', (text, afterNoonMs) => {
    expect(readWebhookTime(text)).toBe(NOON + afterNoonMs);
  });

  test.each([
    '',
    '2026-03-01T12:00:00+',
    '2026-03-01',
    '177236640',
    '17723664000',
    '1772366400250.5',
    '-1772366400',
    '1772366400Z',
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01T24:00:01Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:61Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+00:60',
    '2026-0301T12:00:00Z',
    '2026-03-01T12:0000Z',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00ZZ',
    ' 2026-03-01T12:00:00Z',
    'Sun, 01 Mar 2026 12:00:00 GMT',
  ])('%j is not', (text) => {
    expect(readWebhookTime(text)).toBeNull();
  });

  test('every moment is read as JavaScript writes it, in whichever of these forms', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        date,
        fc.constantFrom('Z', 'z', '+00:00', '+0000', '+00'),
        fc.boolean(),
        (moment, offset, basic) => {
          const iso = moment.toISOString().replace('Z', '');
          const text = basic ? iso.replaceAll(/[-:]/g, '') : iso;
          expect(readWebhookTime(`${text}${offset}`)).toBe(moment.getTime());
        },
      ),
    );
  });
});
