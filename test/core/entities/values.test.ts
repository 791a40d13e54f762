import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  platformTimestamp,
  readRequestTimestamp,
  requestTimestamp,
} from '../../../src/core/contract/time.js';
import { parseHttpDate } from '../../../src/core/domain/reply/waits.js';
import {
  amount,
  boolean,
  coordinate,
  date,
  localTime,
  scalarText,
  skillElements,
  webAddress,
  wholeNumber,
} from '../../../src/core/entities/values.js';
import { readWebhookTime } from '../../../src/features/webhook/receive-webhook.js';

describe('coordinate', () => {
  test.each([
    ['-6.2000', '-6.2000'],
    ['106.8', '106.8'],
    ['0', '0'],
    [' -6.2 ', '-6.2'],
    ['180', '180'],
    ['1e-05', '0.00001'],
    ['-1.5e-07', '-0.00000015'],
    ['1e2', '100'],
    ['1.06E+2', '106'],
    ['+6.2', '6.2'],
    ['.5', '0.5'],
    ['5.', '5'],
  ])('writes %j as %j', (text, value) => {
    expect(coordinate(text, 180)).toEqual({ value });
  });

  test.each([
    ['90.0000001', 90],
    ['-91', 90],
    ['180.5', 180],
    ['1e999999999', 180],
    ['1e-999999999', 180],
  ] as const)('refuses %j as more than %i', (text, limit) => {
    expect(coordinate(text, limit)).toMatchObject({ fault: { code: 'range' } });
  });

  test.each(['6°12′S', '-6,2', 'NaN', 'Infinity', '(1,2)', ''])(
    'refuses %j as no decimal degrees',
    (text) => {
      expect(coordinate(text, 90)).toMatchObject({ fault: { code: 'format' } });
    },
  );

  test('never writes an exponent and never changes the number', () => {
    fc.assert(
      fc.property(fc.double({ min: -90, max: 90, noNaN: true }), (degrees) => {
        const { value = '' } = coordinate(String(degrees), 90);
        expect(value).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(value)).toBe(degrees === 0 ? 0 : degrees);
      }),
    );
  });

  test('says what to do about NaN', () => {
    const hint = expect.stringContaining("nullif(column, 'NaN')") as string;
    expect(coordinate('NaN', 90)).toMatchObject({ fault: { hint } });
  });
});

describe('date laws', () => {
  // Run in three zones of the process: none of this may depend on it.

  const moment = fc.integer({
    min: Date.parse('0001-01-02T00:00:00Z'),
    max: Date.parse('9999-12-30T00:00:00Z'),
  });
  const recent = fc.integer({
    min: Date.parse('1970-01-01T00:00:00Z'),
    max: Date.parse('2100-01-01T00:00:00Z'),
  });
  const iso = (ms: number) => new Date(ms).toISOString();

  test('the day of a date is the day that was written, also around every change of the clocks', () => {
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom('', ' 00:00:00', ' 23:59:59.999999', 'T02:30:00', ' 00:00:00-03:30'),
        (ms, time) => {
          const day = iso(ms).slice(0, 10);
          expect(date(`${day}${time}`)).toEqual({ value: day });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('a local time is the time that was written', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom('', '.5', '+07', '-02:30'), (ms, rest) => {
        const value = iso(ms).slice(0, 19).replace('T', ' ');
        expect(localTime(`${value}${rest}`)).toEqual({ value });
      }),
    );
  });

  test('the platform’s local time is seven hours after UTC', () => {
    fc.assert(
      fc.property(recent, (ms) => {
        const local = iso(ms + 7 * 3_600_000)
          .slice(0, 19)
          .replace('T', ' ');
        expect(platformTimestamp(ms, 'Asia/Jakarta')).toBe(local);
        expect(platformTimestamp(ms, 'UTC')).toBe(iso(ms).slice(0, 19).replace('T', ' '));
      }),
    );
  });

  test('times of requests, webhooks and HTTP mean the same moment when they are read', () => {
    fc.assert(
      fc.property(recent, (ms) => {
        const seconds = Math.floor(ms / 1_000) * 1_000;
        expect(readRequestTimestamp(requestTimestamp(ms))).toBe(seconds);
        expect(readWebhookTime(requestTimestamp(ms))).toBe(seconds);
        expect(readWebhookTime(iso(ms).replace('Z', '+00:00'))).toBe(ms);
        expect(parseHttpDate(new Date(ms).toUTCString())).toBe(seconds);
      }),
    );
  });
});

describe('date', () => {
  test.each([
    ['2026-12-31', '2026-12-31'],
    [' 2026-12-31 ', '2026-12-31'],
    ['2026-12-31 00:30:00+07', '2026-12-31'],
    ['2026-12-31 23:59:59.999999+05:30', '2026-12-31'],
    ['2026-12-31T23:59:59', '2026-12-31'],
    ['2026-12-31T23:59:59.5', '2026-12-31'],
    ['1850-12-31 23:59:59+07:07:12', '1850-12-31'],
    ['2026-12-31 23:59', '2026-12-31'],
    ['2000-02-29', '2000-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['0050-06-01', '0050-06-01'],
    ['9999-12-31 23:00:00+07', '9999-12-31'],
  ])('takes the day of %j', (text, day) => {
    expect(date(text)).toEqual({ value: day });
  });

  test.each([
    '0044-03-15 BC',
    '0044-03-15 10:00:00+07:07:12 BC',
    '31/12/2026',
    '12-31-2026',
    '2026-1-5',
    '12026-01-01',
    '0000-01-01',
    '1900-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '1767139200',
    'segera',
    '2026-12-31 or later',
    '2026-12-31 10:00 or later',
    '2026-12-31 10:00:00xyz',
    '2026-12-31 10',
    '2026-12-31T',
    '2026-12-31+07',
    '2026-12-31T10:00:00+7',
  ])('refuses %j', (text) => {
    expect(date(text)).toMatchObject({ fault: { code: 'format' } });
  });

  test.each([
    '2026-01-15T23:00:00Z',
    '2026-01-15 23:00:00Z',
    '2026-01-15T23:00:00.000z',
    '2026-01-15T23:00:00+00:00',
    '2026-01-15T23:00+07',
    '2026-01-15 23:00:00 UTC',
    '2026-01-15 23:00:00 +0700',
  ])('refuses %j, whose day depends on its zone, and says how to write it', (text) => {
    expect(date(text)).toMatchObject({
      fault: {
        code: 'format',
        hint: expect.stringContaining('Write it as Postgres does: regexp_replace(') as string,
      },
    });
  });

  test.each([
    ['infinity', 'is "infinity"; the platform needs a date'],
    ['-infinity', 'is "-infinity"; the platform needs a date'],
  ])('says of %s what it means', (text, message) => {
    expect(date(text)).toMatchObject({
      fault: { message, hint: expect.stringContaining(`nullif(column, '${text}')`) as string },
    });
  });
});

describe('a boolean', () => {
  test.each(['true', 't', 'T', 'yes', 'Y', 'on', '1', ' TRUE '])('is true for %j', (text) => {
    expect(boolean(text)).toEqual({ value: true });
  });
  test.each(['false', 'f', 'No', 'n', 'OFF', '0'])('is false for %j', (text) => {
    expect(boolean(text)).toEqual({ value: false });
  });
  test.each(['ya', '2', 'tru', 'null', '-1'])('is refused for %j', (text) => {
    expect(boolean(text)).toMatchObject({ fault: { code: 'type' } });
  });
});

describe('the text of a value', () => {
  test.each([null, undefined, '', ' ', '\t\n', '\u00a0'])('is absent for %j', (value) => {
    expect(scalarText(value)).toEqual({ value: null });
  });
  test.each([
    [' a ', ' a '],
    ['é', 'é'],
    ['e\u0301', 'e\u0301'],
    ['\u{1F600}', '\u{1F600}'],
    [0, '0'],
    [false, 'false'],
  ])('of %j is untouched', (value, text) => {
    expect(scalarText(value)).toEqual({ value: text });
  });
  test.each([[['a']], [[]], [{}]])('is refused for %j', (value) => {
    expect(scalarText(value)).toMatchObject({ fault: { code: 'type' } });
  });
  test.each(['a\0', '\ud83d', '\ude00a'])('is refused for %j, which jsonb cannot hold', (value) => {
    expect(scalarText(value)).toMatchObject({ fault: { code: 'format' } });
  });
});

describe('an address', () => {
  test.each(['https://a.id', 'http://a.id/x?y=1#z', 'HTTPS://A.id', 'https://a.id/ä'])(
    '%j is taken as it is',
    (text) => {
      expect(webAddress(text)).toEqual({ value: text });
    },
  );
  test.each([
    'a.id',
    'www.a.id/x',
    'ftp://a.id',
    'javascript:alert(1)',
    'mailto:a@b.id',
    '//a.id',
    'https://',
    'https://a.id/ä b',
    ' https://a.id',
    'https://a.id\n',
  ])('%j is refused', (text) => {
    expect(webAddress(text)).toMatchObject({ fault: { code: 'format' } });
  });
});

describe('an amount', () => {
  test.each(['1500000', '0.15', '123456789012345', `1${'0'.repeat(20)}`])('is the number %s', (text) => {
    expect(amount(text)).toEqual({ value: Number(text) });
  });
  test('with more digits than JSON readers keep is refused, however many zeros stand between them', () => {
    expect(amount('1234567890123456')).toMatchObject({ fault: { code: 'range' } });
    // With the square of its zeros this would not end within a day.
    expect(amount(`1.${'0'.repeat(3_000_000)}1`)).toMatchObject({ fault: { code: 'range' } });
  });
});

describe('skills', () => {
  test.each([
    ['text[]', ['b', 'a', 'b'], ['b', 'a', 'b']],
    ['an array with blanks and nulls', [' a ', '', '  ', null], ['a']],
    ['a jsonb array of numbers', [1, 2.5], ['1', '2.5']],
    ['an empty array', [], []],
    ['comma text', 'a, b,,c ', ['a', 'b', 'c']],
    ['text without a comma', 'a b', ['a b']],
    ['a comma only', ',', []],
    ['text with a bracket in it', 'C [basic], D', ['C [basic]', 'D']],
    ['a number', 7, ['7']],
  ])('takes %s', (_name, value, elements) => {
    expect(skillElements(value)).toEqual({ value: elements });
  });

  test.each([
    ['an array printed as text', '{a,b}'],
    ['a JSON array printed as text', ' ["a", "b"] '],
    ['a JSON object', { a: 1 }],
    ['a nested array', [['a']]],
    ['an array of objects', [{ name: 'a' }]],
    ['a boolean', true],
  ])('refuses %s rather than send its punctuation', (_name, value) => {
    expect(skillElements(value)).toMatchObject({ fault: { code: 'type' } });
  });

  test('refuses an element that no database could store', () => {
    expect(skillElements(['a', 'b\0'])).toMatchObject({ fault: { code: 'format' } });
  });
});

describe('whole number', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    [' 12 ', 12],
    ['007', 7],
    ['5.', 5],
    ['5000000.00', 5_000_000],
    ['1e3', 1000],
    ['1.5E+3', 1500],
    ['12000e-3', 12],
    ['0e999999999', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991.000', Number.MIN_SAFE_INTEGER],
  ])('reads %j as %i, without a warning', (text, value) => {
    expect(wholeNumber(text)).toEqual({ value });
  });

  test.each([
    ['2.5', 3],
    ['2.4999999999999999999', 2],
    ['0.5', 1],
    ['.5', 1],
    ['0.05', 0],
    ['-0.5', 0],
    ['-0.50000000000000000001', -1],
    ['-2.5', -2],
    ['-2.6', -3],
    ['1e-999999999', 0],
    ['1.0005e3', 1001],
    // Binary floating point has no such number: it would round to 9007199254740992.
    ['9007199254740990.5', Number.MAX_SAFE_INTEGER],
  ])('rounds %j half up to %i and says so', (text, value) => {
    const reading = wholeNumber(text);
    expect(reading).toMatchObject({
      value,
      warning: { code: 'doubtful', message: 'has a fraction and is rounded' },
    });
    expect(Object.is(reading.value, -0)).toBe(false);
  });

  test.each([
    'abc',
    '',
    '.',
    'e5',
    '1.000.000',
    '1,000',
    'Rp 5',
    '0x10',
    'NaN',
    'Infinity',
    '1 000',
    '1e',
    '１２',
  ])('refuses %j as no number', (text) => {
    expect(wholeNumber(text)).toMatchObject({ fault: { code: 'type' } });
  });

  test.each([
    '9007199254740992',
    '-9007199254740992',
    '9007199254740991.5',
    '1e999999999',
    '-1e20',
    '9'.repeat(5000),
  ])('refuses %s as beyond what JSON readers hold exactly', (text) => {
    expect(wholeNumber(text)).toMatchObject({ fault: { code: 'range' } });
  });

  test('rounds every number of hundredths like whole arithmetic', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (hundredths) => {
        const sign = hundredths < 0 ? '-' : '';
        const digits = String(Math.abs(hundredths)).padStart(3, '0');
        const { value } = wholeNumber(`${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`);
        expect(value).toBe(Number((BigInt(hundredths) + 1_000_050n) / 100n) - 10_000);
      }),
    );
  });

  test.each(['NaN', 'Infinity', '-Infinity'])('says what to do about %s', (text) => {
    const hint = expect.stringContaining(`nullif(column, '${text}')`) as string;
    expect(wholeNumber(text)).toMatchObject({ fault: { code: 'type', hint } });
  });
});
