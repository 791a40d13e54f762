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

test.each([
  ['a@b@example.com', 'a@<email>'],
  ['a.b@c.d@e.f', '<email>@e.f'],
  ['@example.com and budi@ and budi@localhost', '@example.com and budi@ and budi@localhost'],
  [`${'x'.repeat(70)}@example.com`, '<email>'],
])('an address is found from its @ to both sides: %s', (text, scrubbed) => {
  expect(scrubText(text, [])).toBe(scrubbed);
});

// With the square of their length, none of these ends within a day.
test.each([
  ['one word', 'a'.repeat(3_000_000)],
  ['signs that begin nothing', '@'.repeat(3_000_000)],
  ['names without a domain', 'ab@'.repeat(1_000_000)],
  ['a domain without a point', `a@${'b'.repeat(3_000_000)}`],
  ['a user without a host', '://a:'.repeat(600_000)],
])('a long text takes no more than its share: %s', (_, text) => {
  expect(scrubText(text, [])).toBe(text);
});
