import { describe, expect, it, test } from 'vitest';
import { closest } from '../../../src/core/domain/closest.js';
import { issueText, shownIssue } from '../../../src/core/domain/issue.js';
import { oneLine } from '../../../src/core/domain/reply/reply.js';
import { maskedBody, scrubText, scrubValue } from '../../../src/core/domain/scrub-text.js';
import { visibleText } from '../../../src/core/domain/text.js';

describe('scrub text', () => {
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
});

describe('the body of a reply', () => {
  test.each([
    ['{"by":"siti@example.org"}', '{"by":"<email>"}'],
    ['{"by":"siti\\u0040example.org"}', '{"by":"<email>"}'],
    ['0812 3456 7890', '<number>'],
    ['call +62 (812) 3456-7890.', 'call <number>.'],
    ['{"phone":6281234567890,"nik":"3201234567890123"}', '{"phone":<number>,"nik":"<number>"}'],
    ['{"note":"line\\n081234567890 or HP081234567890"}', '{"note":"line\\n<number> or HP<number>"}'],
    ['tel:0812\\/3456\\/7890', 'tel:<number>'],
  ])('has nothing of a person: %s', (text, masked) => {
    expect(maskedBody(text)).toBe(masked);
  });

  test.each([
    '{"id":"4bf92f35-77b3-4da6-a3ce-929123456789","status":422}',
    'trace 00f067aa0ba902b71234567890',
    'since 2026-11-25 10:00:00, at most 12345678 bytes',
    '{"errors":{"quota":["The quota must be at most 1000."]}}',
  ])('shows what went wrong: %s', (text) => {
    expect(maskedBody(text)).toBe(text);
  });

  test('is one line of bounded length, and none when it is empty', () => {
    expect(maskedBody(' \n\u0000')).toBeNull();
    expect(maskedBody('<p>\n\tno\u001b[2J\u0000</p>')).toBe('<p> no [2J </p>');
    expect(maskedBody('\ud800 x')).toBe('x');
    expect([...(maskedBody('é'.repeat(5_000)) ?? '')]).toHaveLength(2_000);
  });

  // Each within a second, also where no place of the pattern fits.
  test.each(['1-', 'a-', '1 ', '1a', '12345678 x', '\\u0040', '(((1', '-'])(
    'takes no time over %s',
    (part) => {
      expect(maskedBody(part.repeat(65_536 / part.length))).not.toBeNull();
    },
  );
});

describe('visible text', () => {
  const TURNS = [0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
  const SEPARATES = [0x2028, 0x2029];
  const CONTROLS = [0, 7, 8, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x9f];

  test.each([...TURNS, ...SEPARATES, ...CONTROLS])('the character %i is shown, and does nothing', (code) => {
    const text = `a${String.fromCharCode(code)}b`;
    expect(visibleText(text)).toBe(`a\\u${code.toString(16).padStart(4, '0')}b`);
    expect(oneLine(text)).toBe('a b');
  });

  test('what people write stays', () => {
    const text = 'Jl. Mawar 5\n\tRT 01 – “Toko” é 招聘 \u{1F600}\u00a0x';
    expect(visibleText(text)).toBe(text);
  });
});

describe('closest', () => {
  const WORDS = ['baseUrl', 'clientId', 'clientSecret', 'region_id', 'region_type', 'name', 'on'];

  it.each([
    ['baseurl', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['clientID', 'clientId'],
    ['cleintId', 'clientId'],
    ['clientSecert', 'clientSecret'],
    ['regionid', 'region_id'],
    ['nmae', 'name'],
    ['no', 'on'],
  ])('takes %s for %s', (word, expected) => {
    expect(closest(word, WORDS)).toBe(expected);
  });

  it.each(['password', 'zzz', 'secret', ''])('finds nothing close to "%s"', (word) => {
    expect(closest(word, WORDS)).toBeNull();
  });

  it('takes the first of several that are equally close', () => {
    expect(closest('cat', ['bat', 'rat'])).toBe('bat');
  });
});

describe('issue', () => {
  test.each([
    [{ field: 'name', code: 'required', message: 'is required', value: '  ' }, 'name is required'],
    [
      { field: 'quota', code: 'type', message: 'must be a whole number', value: 'many' },
      'quota must be a whole number (value: many)',
    ],
    [
      {
        field: 'industry',
        code: 'unmapped',
        message: 'the code "X90" is not in industries.csv',
        value: 'X90',
      },
      'industry: the code "X90" is not in industries.csv',
    ],
    [
      { field: 'about', code: 'format', message: 'must be text', value: `a\n${'b'.repeat(99)}` },
      `about must be text (value: a ${'b'.repeat(58)}…)`,
    ],
    [
      { field: 'region.id', column: 'region_id', code: 'format', message: 'must be a UUID', value: '7' },
      'region.id must be a UUID (column region_id) (value: 7)',
    ],
  ] as const)('%o is one line with its field', (issue, text) => {
    expect(issueText(issue)).toBe(text);
  });

  test('documents have an issue with its texts, and nothing of what these are made of', () => {
    const message = 'the code "Solo" is not in cities.csv';
    const found = { field: 'region.id', code: 'unmapped', message, hint: 'to cities.csv.' } as const;
    const lookup = { code: 'Solo', todo: 'add' } as const;
    expect(JSON.stringify(shownIssue({ ...found, column: 'region_id', lookup }))).toBe(
      JSON.stringify({
        ...found,
        message: `${message} (column region_id)`,
        hint: 'Add the code "Solo" to cities.csv.',
      }),
    );
    // As an earlier version stored it.
    const stored = { field: 'name', code: 'required', message: 'is required' } as const;
    expect(shownIssue(stored)).toEqual(stored);
  });
});
