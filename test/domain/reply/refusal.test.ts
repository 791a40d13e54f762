import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRefusal } from '../../../src/domain/reply/refusal.js';

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
])('the fields of %j are found', (json, fields) => {
  expect(fieldsOf(json)).toEqual(fields);
});

test('what was sent, and is repeated beside the sentence, is not taken for words', () => {
  const sent = { name: 'PT Contoh', email: 'ada@contoh.id', about: 'A long story' };
  expect(said({ message: 'Bad region', data: sent, input: sent })).toBe('Bad region');
});

test.each([{}, [], null, 7, true, { message: '' }, { errors: {} }, undefined])('%j has no words', (json) => {
  expect(readRefusal(json)).toEqual({ message: null, issues: [] });
});

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
