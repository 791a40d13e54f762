import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { expect, it, test } from 'vitest';
import { ROOT } from '../../docs/generate.js';

const RECORDED = join(ROOT, 'test/dashboard/translations.json');
const RECORD = 'UPDATE_TRANSLATIONS=1 npx vitest run test/dashboard/translations.test.ts';

/** One text in both languages; of a function its source. Empty: this language has none. */
interface Pair {
  readonly en: string;
  readonly id: string;
}
type Pairs = Readonly<Record<string, Pair>>;

const LANGUAGE = /^(ENGLISH|INDONESIAN)(?:_|$)/;

/**
 * Every text that a file has in a language, by its path: of the tables of this language, and of the helpers of a file of
 * its own. Tables of all languages have none.
 */
function textsOf(file: string, language: 'ENGLISH' | 'INDONESIAN'): Map<string, string> {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const ownFile = basename(file).startsWith(language.toLowerCase());
  const belongs = (name: string): boolean =>
    (LANGUAGE.exec(name)?.[1] ?? (ownFile && !name.endsWith('_TEXTS') ? language : null)) === language;
  const texts = new Map<string, string>();
  const add = (path: string, value: ts.Expression): void => {
    if (ts.isObjectLiteralExpression(value)) {
      for (const property of value.properties)
        if (ts.isPropertyAssignment(property)) {
          const { name } = property;
          add(`${path}.${ts.isStringLiteral(name) ? name.text : name.getText()}`, property.initializer);
        }
    } else texts.set(path, ts.isStringLiteralLike(value) ? value.text : oneLine(value.getText()));
  };
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer && belongs(name.getText()))
        add(name.getText().replace(LANGUAGE, '') || 'texts', initializer);
  }
  return texts;
}

/** Without what only the formatter decides. */
function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ').replace(/,(?= ?[)\]}])/g, '');
}

function hasBoth(code: string): boolean {
  return /^const ENGLISH_/m.test(code) && /^const INDONESIAN_/m.test(code);
}

/** `english`: the path of a file with English tables. The Indonesian ones are beside it, or in it. */
function pairsOf(english: string): Pairs {
  const en = textsOf(english, 'ENGLISH');
  const id = textsOf(
    english.replace(basename(english), (name) => name.replace('english', 'indonesian')),
    'INDONESIAN',
  );
  const place = english.replace(/^src\//, '').replace(/\.ts$/, '');
  const keys = [...new Set([...en.keys(), ...id.keys()])];
  return Object.fromEntries(
    keys.map((key) => [`${place}: ${key}`, { en: en.get(key) ?? '', id: id.get(key) ?? '' }]),
  );
}

/** Keys of which only the English text changed, and keys whose pair is not the recorded one for another reason. */
function stale(now: Pairs, recorded: Pairs): string[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(now)])].flatMap((key) => {
    const [is, was] = [now[key], recorded[key]];
    if (is?.en === was?.en && is?.id === was?.id) return [];
    return is && was?.id === is.id
      ? [`${key}: English was ${was.en}, is ${is.en}; Indonesian is still ${is.id}`]
      : [`${key}: not recorded yet`];
  });
}

const PAIRS: Pairs = Object.assign(
  {},
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((file) => basename(file).startsWith('english') || hasBoth(readFileSync(join(ROOT, file), 'utf8')))
    .toSorted()
    .map(pairsOf),
) as Pairs;

it('has no Indonesian text of which only the English one changed', () => {
  if (process.env.UPDATE_TRANSLATIONS) writeFileSync(RECORDED, `${JSON.stringify(PAIRS, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Pairs;
  const hint = `Translate it, or if the Indonesian text still holds, record the pair: ${RECORD}`;
  expect(stale(PAIRS, recorded), hint).toEqual([]);
});

test('a changed English text is noticed until its pair is recorded, a changed pair until it is recorded too', () => {
  const recorded = { a: { en: 'Key', id: 'Kunci' } };
  expect(stale(recorded, recorded)).toEqual([]);
  expect(stale({ a: { en: 'Name', id: 'Kunci' } }, recorded)).toEqual([
    'a: English was Key, is Name; Indonesian is still Kunci',
  ]);
  expect(stale({ a: { en: 'Name', id: 'Nama' } }, recorded)).toEqual(['a: not recorded yet']);
  expect(stale({}, recorded)).toEqual(['a: not recorded yet']);
});

test('every text of every table is compared, also what functions and helpers say', () => {
  expect(PAIRS['dashboard/text/english: texts.states.held']).toEqual({ en: 'Held', id: 'Ditahan' });
  expect(PAIRS['dashboard/text/english: texts.done.retry']?.en).toContain('is pending again');
  const troubles = 'domain/trouble/english';
  expect(PAIRS[`${troubles}: TROUBLES.troubles.stale`]?.id).toContain('sudah lama tidak berhasil');
  expect(PAIRS[`${troubles}: GUARDS.empty-source`]?.en).toContain('no rows');
  expect(PAIRS[`${troubles}: stays`]?.id).toContain('tetap menunggu');
  expect(PAIRS['domain/trouble/consequences: CONSEQUENCES.delete']?.id).toContain('akan DIHAPUS');
  expect(PAIRS['fleet/text/english: FLEET.title']?.id).toBeTruthy();
});
