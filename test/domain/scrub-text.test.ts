import { expect, test } from 'vitest';
import { scrubText, scrubValue } from '../../src/domain/scrub-text.js';

test.each([
  ['postgres://sync:hunter2@db:5432/hr refused', 'postgres://sync:***@db:5432/hr refused'],
  ['postgres://sync:***@db.example.com/hr', 'postgres://sync:***@db.example.com/hr'],
  ['value "budi.s+1@mail.example.com" is taken', 'value "<email>" is taken'],
  ['the token t0ken-longer and t0ken', 'the token *** and ***'],
  ['instagram: @tokokami', 'instagram: @tokokami'],
])('%s', (text, scrubbed) => {
  expect(scrubText(text, ['t0ken', '', 't0ken-longer'])).toBe(scrubbed);
});

test('every text in a value is scrubbed, and nothing else changes', () => {
  const at = new Date(0);
  expect(scrubValue({ a: ['x s3cret', 1, null, at], s3cret: true }, ['s3cret'])).toEqual({
    a: ['x ***', 1, null, at],
    s3cret: true,
  });
});
