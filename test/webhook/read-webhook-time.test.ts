import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWebhookTime } from '../../src/webhook/receive-webhook.js';

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
])('%s is read', (text, afterNoonMs) => {
  expect(readWebhookTime(text)).toBe(NOON + afterNoonMs);
});

test.each([
  '',
  '2026-03-01T12:00:00',
  '2026-03-01 12:00:00Z',
  '2026-03-01',
  '1772366400',
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
