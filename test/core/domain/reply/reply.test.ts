import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { carriesWarnings, readRefusal } from '../../../../src/core/domain/reply/refusal.js';
import { clockSkew, describeClockSkew, withoutStatus } from '../../../../src/core/domain/reply/reply.js';
import { parseHttpDate, retryAfterDelay } from '../../../../src/core/domain/reply/waits.js';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('clock skew', () => {
  it('is our time less the time of the platform', () => {
    expect(clockSkew(DATE, MOMENT + 90_000)).toBe(90_000);
    expect(clockSkew(null, MOMENT)).toBeNull();
    expect(clockSkew('yesterday', MOMENT)).toBeNull();
  });

  it.each([
    [null, null],
    [60_000, null],
    [-60_000, null],
    [61_000, "your clock is 61 s ahead of the platform's"],
    [-600_000, "your clock is 10 min behind the platform's"],
    [7 * 3_600_000, "your clock is 7 h ahead of the platform's"],
    [-3 * 86_400_000, "your clock is 3 days behind the platform's"],
  ])('of %j ms reads %j', (skew, text) => {
    expect(describeClockSkew(skew)).toBe(text);
  });
});

describe('an HTTP date', () => {
  it.each([DATE, 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])('is read from %s', (text) => {
    expect(parseHttpDate(text)).toBe(MOMENT);
  });

  it.each(['', '120 x', '1994-11-06T08:49:37', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 40 Foo 1994 08:49:37 GMT'])(
    'is not read from %j',
    (text) => {
      expect(parseHttpDate(text)).toBeNull();
    },
  );
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['90000', 86_400_000],
    ['999999999', 86_400_000],
    // Moments that nobody means.
    ['9999999999999999999', null],
    ['99999999999999999999', null],
    ['100000000000', null],
    ['3, 5', 3_000],
    ['3,', 3_000],
    ['x, 5', null],
    ['.5', null],
    ['   ', null],
    ['-5', null],
    ['', null],
    ['1e3', null],
    [null, null],
  ])('of %j is %j ms', (header, expected) => {
    expect(retryAfterDelay(header, null, 0)).toBe(expected);
  });

  it("measures a date against the reply's own date and not against a wrong clock", () => {
    const later = 'Sun, 06 Nov 1994 08:50:07 GMT';
    expect(retryAfterDelay(later, DATE, MOMENT - 3_600_000)).toBe(30_000);
    expect(retryAfterDelay(later, null, MOMENT + 10_000)).toBe(20_000);
    expect(retryAfterDelay(later, 'nonsense', MOMENT + 10_000)).toBe(20_000);
  });

  const NOW = Date.parse('2026-11-28T15:00:00Z');
  const NOW_S = NOW / 1000;

  it.each([
    ['seconds', `${NOW_S + 3}`, 3_000],
    ['seconds with a fraction', `${NOW_S}.25`, 250],
    ['milliseconds', `${NOW + 3_000}`, 3_000],
    ['microseconds', `${NOW + 3_000}000`, 3_000],
    ['several', `${NOW_S + 3}, ${NOW_S + 5}`, 3_000],
    ['seconds that have passed', `${NOW_S - 20}`, 0],
    ['two days', `${NOW_S + 172_800}`, 86_400_000],
    ['years', `${NOW_S + 100_000_000}`, null],
  ])('as a Unix time is measured by the date of the reply, in %s', (_, header, expected) => {
    const date = new Date(NOW).toUTCString();
    expect(retryAfterDelay(header, date, NOW - 3_600_000)).toBe(expected);
    expect(retryAfterDelay(header, null, NOW)).toBe(expected);
  });

  it('does not wait for a date that has passed', () => {
    expect(retryAfterDelay(DATE, 'Sun, 06 Nov 1994 09:00:00 GMT', MOMENT)).toBe(0);
  });
});

describe('without status', () => {
  test.each([
    ['HTTP 500: Server Error', 500, 'Server Error'],
    ['HTTP 500', 500, null],
    ['HTTP 200 was not understood: data is missing', 200, 'not understood: data is missing'],
    ['HTTP 5001 is a text', 500, 'HTTP 5001 is a text'],
    ['HTTP 500: Server Error', 502, 'HTTP 500: Server Error'],
    ['name: is taken', 422, 'name: is taken'],
    ['the connection broke', null, 'the connection broke'],
    [null, 200, null],
  ])('%o beside the status %o is %o', (reason, statusCode, shown) => {
    expect(withoutStatus(reason, statusCode)).toBe(shown);
  });
});

describe('refusal', () => {
  const said = (json: unknown) => readRefusal(json).message;
  const fieldsOf = (json: unknown) => readRefusal(json).issues.map(({ field, message }) => [field, message]);

  test.each<[unknown, string]>([
    [{ message: 'No such region' }, 'No such region'],
    [{ error: 'No such region' }, 'No such region'],
    [{ error: { message: 'Bad signature', code: 'INVALID_SIGNATURE' } }, 'Bad signature (INVALID_SIGNATURE)'],
    [
      { error: 'invalid_signature', error_description: 'It does not match' },
      'It does not match (invalid_signature)',
    ],
    [{ detail: 'Not found.' }, 'Not found.'],
    [{ title: 'Not acceptable' }, 'Not acceptable'],
    [{ title: 'Invalid', detail: 'the name is too long' }, 'Invalid: the name is too long'],
    [{ status: { code: 3, reason: 'quota exceeded' } }, 'quota exceeded'],
    [{ meta: { message: 'Maintenance' }, data: null }, 'Maintenance'],
    [{ pesan: 'Tanda tangan salah' }, 'Tanda tangan salah'],
    [{ errors: ['one thing', 'another'] }, 'one thing; another.'],
    [['one thing'], 'one thing'],
    ['one thing', 'one thing'],
    [{ code: 'E17', ok: false }, 'code: E17'],
    [{ error: { code: 'INVALID_SIGNATURE' } }, 'code: INVALID_SIGNATURE.'],
    [
      { message: ['name is long', 'quota is bad'], error: 'Bad Request', statusCode: 400 },
      'Bad Request; name is long; quota is bad.',
    ],
  ])('the words of %j survive', (json, message) => {
    expect(said(json)).toBe(message);
  });

  test.each<[unknown, [string, string][]]>([
    [
      { errors: { 'region.id': ['bad', 'old'], name: 'long' } },
      [
        ['region.id', 'bad'],
        ['region.id', 'old'],
        ['name', 'long'],
      ],
    ],
    [{ errors: { region: { id: ['bad'] } } }, [['region.id', 'bad']]],
    // Names that mean something else elsewhere are fields of records here.
    [
      { errors: { title: ['long'], description: ['none'], status: ['odd'] } },
      [
        ['title', 'long'],
        ['description', 'none'],
        ['status', 'odd'],
      ],
    ],
    [{ errors: [{ field: 'name', message: 'long' }] }, [['name', 'long']]],
    [{ errors: [{ path: ['region', 'id'], message: 'bad' }] }, [['region.id', 'bad']]],
    [
      { errors: [{ source: { pointer: '/data/attributes/region/id' }, detail: 'bad' }] },
      [['region.id', 'bad']],
    ],
    [{ detail: [{ loc: ['body', 'quota'], msg: 'no number', type: 'int' }] }, [['quota', 'no number']]],
    [
      { title: 'Invalid', 'invalid-params': [{ name: 'quota', reason: 'no number' }] },
      [['quota', 'no number']],
    ],
    [{ error: { details: [{ property: 'name', message: 'long' }] } }, [['name', 'long']]],
    [{ message: { name: ['long'] } }, [['name', 'long']]],
    [{ success: false, message: 'Validation error', data: { name: ['long'] } }, [['name', 'long']]],
    [{ response: { errors: { name: ['long'] } } }, [['name', 'long']]],
    // Whatever the list is called.
    [
      { pesan: 'Validasi gagal', kesalahan: { kode_pos: ['harus 5 angka'] } },
      [['kode_pos', 'harus 5 angka']],
    ],
    [{ pesan: 'Validasi gagal', kesalahan: { kode_pos: 'harus 5 angka' } }, [['kode_pos', 'harus 5 angka']]],
    [{ pesan: 'Validasi gagal', salah: [{ field: 'kuota', pesan: 'wajib' }] }, [['kuota', 'wajib']]],
  ])('the fields of %j are found', (json, fields) => {
    expect(fieldsOf(json)).toEqual(fields);
  });

  test('words in a shape that nobody has documented survive too', () => {
    const failures = [{ code: 'E1', field: 'name', message: 'The name is long.' }];
    const refusal = readRefusal({ status: { code: 'E1', reason: { description: 'Invalid.' } }, failures });
    expect(JSON.stringify(refusal)).toMatch(/Invalid\..*The name is long\./);
  });

  test('what was sent, and is repeated beside the sentence, is not taken for words', () => {
    const sent = { name: 'PT Contoh', email: 'ada@contoh.id', about: 'A long story' };
    expect(said({ message: 'Bad region', data: sent, input: sent })).toBe('Bad region');
  });

  test.each([{}, [], null, 7, true, { message: '' }, { errors: {} }, undefined])(
    '%j has no words',
    (json) => {
      expect(readRefusal(json)).toEqual({ message: null, issues: [] });
    },
  );

  test('a body of any shape and depth gives at most one line', () => {
    const deep = JSON.parse(`${'{"errors":['.repeat(5_000)}"x"${']}'.repeat(5_000)}`) as unknown;
    expect(said(deep)).toBeNull();
    const wide = { errors: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, ['bad']])) };
    expect(readRefusal(wide).issues).toHaveLength(100);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
        const { message, issues } = readRefusal(json);
        expect([...(message ?? 'x')].length).toBeLessThanOrEqual(500);
        for (const text of [message ?? '', ...issues.flatMap((one) => [one.field, one.message])])
          expect(text).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('a word for programs that never ends is no code, and is not looked at for one', () => {
    // With the square of its length this would not end within a day.
    expect(said({ message: 'Bad region', code: `a${'1'.repeat(3_000_000)}!` })).toBe('Bad region');
  });
});

test.each<[unknown, boolean]>([
  [{ data: {}, warnings: ['skill ignored'] }, true],
  [{ data: { Warning: 'city renamed' } }, true],
  [{ meta: { peringatan: { skills: ['diabaikan'] } } }, true],
  [{ data: {}, warnings: [], meta: { warning: ' ' } }, false],
  [{ data: { title: 'warnings' } }, false],
  ['warnings', false],
])('%j has warnings: %s', (json, warned) => {
  expect(carriesWarnings(json)).toBe(warned);
});
