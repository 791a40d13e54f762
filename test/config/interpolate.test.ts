import { describe, expect, it } from 'vitest';
import { interpolate, mentions, replaceMentions, type Variable } from '../../src/config/interpolate.js';

const VALUES: Readonly<Record<string, string>> = { HOST: 'db.example', EMPTY: '', ODD: 'a$&${HOST}$$' };
const read = (name: string): Variable => ({ value: VALUES[name] ?? null });

const NOT_A_MENTION =
  'the text between "${" and "}" is not a name; write ${NAME} or ${NAME:-default}, and $${ for a literal "${"';

describe('interpolate', () => {
  it.each([
    ['plain text', 'plain text'],
    ['${HOST}', 'db.example'],
    ['x-${HOST}-${HOST}', 'x-db.example-db.example'],
    ['${UNSET:-fallback}', 'fallback'],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${HOST:-fallback}', 'db.example'],
    ['${UNSET:-}', ''],
    ['${EMPTY}', ''],
    ['${UNSET:-a:-b}', 'a:-b'],
    ['$HOST costs 5$', '$HOST costs 5$'],
    ['$$', '$'],
    ['$${HOST}', '${HOST}'],
    ['$$${HOST}', '$db.example'],
    ['${ODD}', 'a$&${HOST}$$'],
  ])('makes of %s the text %s', (text, expected) => {
    expect(interpolate({ a: text }, read)).toMatchObject({ data: { a: expected }, problems: [] });
  });

  it.each([
    ['${UNSET}', 'the environment variable UNSET is not set (nor UNSET_FILE)'],
    ['${HOST', '"${" without its "}"; write $${ for a literal "${"'],
    ['${}', NOT_A_MENTION],
    ['ab${S3cret-Part}x', NOT_A_MENTION],
  ])('refuses %s', (text, message) => {
    expect(interpolate({ a: [text] }, read)).toMatchObject({
      data: { a: [text] },
      problems: [{ path: ['a', 0], message }],
    });
  });

  it('tells every variable that is missing, not only the first', () => {
    const { problems } = interpolate({ a: '${ONE}${TWO}', b: { c: '${THREE}' } }, read);
    expect(problems.map(({ message }) => /[A-Z]+/.exec(message)?.[0])).toEqual(['ONE', 'TWO', 'THREE']);
  });

  it('remembers which values came from the environment', () => {
    const { fromEnvironment } = interpolate({ a: '${HOST}', b: '$$', c: { d: ['x', 'y${HOST}'] } }, read);
    expect([...fromEnvironment]).toEqual(['a', 'c.d[1]']);
  });

  it('leaves keys, numbers, booleans and null alone', () => {
    const data = { '${HOST}': 1, b: true, c: null };
    expect(interpolate(data, read).data).toEqual(data);
  });

  it('hands on what the environment has no value for and cannot be read', () => {
    const { problems } = interpolate('${A}', () => ({ problem: 'both A and A_FILE are set' }));
    expect(problems).toEqual([{ path: [], message: 'both A and A_FILE are set' }]);
  });

  it('leaves a text as it is when only another machine knows a variable, unless it has a default', () => {
    const data = { a: '$$${HOST}', b: { c: '${PORT:-5432}', d: ['${NAME:-}'] }, e: '${a b}' };
    expect(interpolate(data, () => ({ unknown: true }))).toMatchObject({
      data: { ...data, b: { c: '5432', d: ['${NAME:-}'] } },
      unknown: [['a'], ['b', 'd', 0]],
      problems: [{ path: ['e'] }],
    });
  });
});

describe('mentions', () => {
  it('lists the variables of a text with their defaults', () => {
    expect(mentions('${A}$${B}${C:-x}')).toEqual([
      { name: 'A', fallback: null },
      { name: 'C', fallback: 'x' },
    ]);
  });
});

it('replaceMentions puts something in place of each mention', () => {
  expect(replaceMentions('${A}-$$-${B:-x}-${not a name}', ({ name, fallback }) => `${name}${fallback}`)).toBe(
    'Anull-$-Bx-${not a name}',
  );
});
