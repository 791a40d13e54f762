import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ENTITY_NAMES } from '../../../src/core/entities/registry.js';

/** Who may name an entity: its contract, and nobody else but these. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/core/entities/registry.ts': 'the registry',
  'src/features/init/drafting/all.ts': 'the words by which `init` knows each',
  'src/features/demo/sample/': 'the sample database has tables of its own, and so has what is wrong in it',
  'src/features/webhook/contract/read-application.ts': '`trainings` is a list in an application',
  'src/features/webhook/state/keep-applications.ts': '`trainings` is a list in an application',
};

/** Files with the name of an entity as a text of its own, as a key, or quoted in a statement. */
function namesIn(path: string, source: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const texts =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
        ? [node.text]
        : [];
    for (const text of texts) {
      for (const name of ENTITY_NAMES) if (text === name || text.includes(`'${name}'`)) found.add(name);
    }
    // A list of a body or of an application is read by its own name: only a table of entities has two of them.
    if (ts.isObjectLiteralExpression(node)) {
      const keys = node.properties.flatMap(({ name }) =>
        name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : [],
      );
      const entities = keys.filter((key) => ENTITY_NAMES.includes(key));
      if (entities.length > 1) entities.forEach((name) => found.add(name));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return [...found];
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name}`);

const named = files.flatMap((path) =>
  namesIn(path, readFileSync(path, 'utf8')).map((name) => ({ path, name })),
);

test('an entity is named in its contract alone; everything else asks the registry', () => {
  const contracts = named.filter(({ path }) => /^src\/core\/contract\/[a-z-]+\.ts$/.test(path));
  const own = ENTITY_NAMES.map((entity) => contracts.find(({ name }) => name === entity)?.path);
  expect(new Set(own).size, 'a contract file for each').toBe(ENTITY_NAMES.length);
  const strangers = named.filter(
    ({ path, name }) =>
      own[ENTITY_NAMES.indexOf(name)] !== path &&
      !Object.keys(ALLOWED).some((start) => path.startsWith(start)),
  );
  expect(strangers, 'make it a property of the entity, and ask the registry for it').toEqual([]);
});

test('what may name an entity all the same still does', () => {
  const gone = Object.keys(ALLOWED).filter((start) => !named.some(({ path }) => path.startsWith(start)));
  expect(gone).toEqual([]);
});

test('a name in a comparison, in a table and in a statement would be found', () => {
  for (const source of [
    "if (entity === 'vacancies') go();",
    "const titles = { companies: 'Companies', vacancies: 'Vacancies' };",
    "const sql = `select 1 from t where entity = 'vacancies' and key = ${key}`;",
  ])
    expect(namesIn('x.ts', source), source).toContain('vacancies');
});
