import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { listSettings } from '../../../docs/settings-list.js';
import { settingsSchema } from '../../../src/core/config/schema.js';

/**
 * A setting is used where code takes its value, not where its name stands. Only some folders can see the configuration;
 * an adapter gets options of its own. So a setting that an option is named after, and that nobody hands to the adapter,
 * is not used.
 */

/** Folders that can see the configuration. In `config/sections` settings are declared, with rules of their own. */
const SEES_SETTINGS =
  /^(cli|dashboard|core\/run|features\/(fleet|webhook|sandbox|demo)|core\/config(?!\/sections))\//;

/** Blocks that are handed on whole, by a spread in `by`, and the folders that take the single values out of them. */
const HANDED_WHOLE = [
  {
    blocks: ['guards', 'retry', 'sweep', 'source', 'state', 'webhook'],
    by: 'cli/compose/open-state.ts',
    to: /^core\/(run|push|sweep|domain|context|leases)|^features\/(look|plan|verify|probe)/,
  },
  {
    blocks: ['platform.jobs', 'platform.training'],
    by: 'cli/compose/open-platforms.ts',
    to: /^core\/platform\//,
  },
];

/** Names whose value a file takes: `a.name`, `a['name']`, `{ name } = a`, and `valueAt(a, ['name'])`. */
function namesRead(path: string, source: string): Set<string> {
  const found = new Set<string>();
  const add = (node: ts.Node | undefined) => {
    if (node && (ts.isIdentifier(node) || ts.isStringLiteralLike(node))) found.add(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && !isAssigned(node)) add(node.name);
    if (
      ts.isElementAccessExpression(node) &&
      ts.isStringLiteralLike(node.argumentExpression) &&
      !isAssigned(node)
    )
      add(node.argumentExpression);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
      add(node.propertyName ?? node.name);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'valueAt')
      node.arguments.forEach((each) => {
        if (ts.isArrayLiteralExpression(each)) add(each.elements.at(-1));
      });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return found;
}

function isAssigned(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.left === node
  );
}

type Reads = ReadonlyMap<string, ReadonlySet<string>>;

const reads: Reads = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, namesRead(name, readFileSync(join('src', name), 'utf8'))]),
);

/** Settings, as `guards.maxVanishedCount`, whose value nobody takes. A duration `x` is read as `xMs`. */
function unused(settings: readonly string[], from: Reads): string[] {
  return settings.filter((setting) => {
    const name = setting.slice(setting.lastIndexOf('.') + 1);
    const block = setting.slice(0, -name.length - 1);
    const takers = HANDED_WHOLE.filter(({ blocks }) => blocks.includes(block)).map(({ to }) => to);
    return ![...from].some(
      ([file, names]) =>
        [SEES_SETTINGS, ...takers].some((folder) => folder.test(file)) &&
        (names.has(name) || names.has(`${name}Ms`)),
    );
  });
}

it('the value of every setting is taken by something that can see it', () => {
  const settings = listSettings(settingsSchema)
    .map(({ path }) => path.join('.'))
    .filter((path) => /(^|\.)\w+$/.test(path));
  expect(settings.length).toBeGreaterThan(50);
  expect(
    unused(settings, reads).map(
      (setting) => `nothing reads ${setting}: pass it on where the configuration is opened`,
    ),
  ).toEqual([]);
});

it('what is said to hand a block on whole still spreads it', () => {
  for (const { by } of HANDED_WHOLE)
    expect(readFileSync(join('src', by), 'utf8'), by).toContain('...settings');
});

it('a name in a type, as the key of an object, in a text or as the target of a value is not a use', () => {
  const source = `
    export interface Options { readonly userAgentSuffix: string }
    const options = { userAgentSuffix: 'x' };
    /** userAgentSuffix */ report('userAgentSuffix'); options.userAgentSuffix = 'y';`;
  expect([...namesRead('x.ts', source)]).toEqual([]);
  for (const taken of ['s.name', "s['name']", 'const { name: other } = s;', "valueAt(s, ['a', 'name'])"])
    expect([...namesRead('x.ts', taken)], taken).toContain('name');
});

it('a setting that only an adapter knows, and that nobody hands to it, is found', () => {
  const adapter = namesRead('x.ts', 'create(options) { return options.userAgentSuffix; }');
  const passed = namesRead('x.ts', 'create({ userAgentSuffix: settings.http.userAgentSuffix })');
  const tree = (opener: ReadonlySet<string>): Reads =>
    new Map([...reads, ['core/platform/http-platform.ts', adapter], ['cli/compose/open-http.ts', opener]]);
  expect(unused(['http.userAgentSuffix'], tree(new Set()))).toEqual(['http.userAgentSuffix']);
  expect(unused(['http.userAgentSuffix'], tree(passed))).toEqual([]);
  expect(unused(['platform.jobs.userAgentSuffix'], tree(new Set()))).toEqual([]);
});
