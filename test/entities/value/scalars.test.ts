import { describe, expect, test } from 'vitest';
import { amount, boolean, scalarText, webAddress } from '../../../src/entities/values.js';

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
