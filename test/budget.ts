import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * What the tree weighs. `test/budget.json` has the most that each room may weigh, and the functions that may be longer or
 * hold more nameless state than others; `test/budget.test.ts` fails above it. A change of that file stands alone in a
 * commit that says what was taken out in exchange.
 *
 *   npm run budget    prints the figures beside the budget
 */

const ROOT = join(import.meta.dirname, '..');

/** A function has at most so many lines of its own: those of the functions in it are theirs. */
export const OWN_LINES = 65;

/** State without a name: so many variables that change, shared by so many functions within. */
const VARIABLES = 3;
const SHARED_BY = 5;

export interface Size {
  readonly lines: number;
  /** Words and signs of the code, without comments: longer lines do not hide anything. */
  readonly tokens: number;
}

export interface Budget {
  /** `core`, `core/push`, `features/verify`, `dashboard`, `cli`, `src`. */
  readonly rooms: Readonly<Record<string, Size>>;
  /** `src/core/push/area.ts pushArea`: functions with more lines of their own than `OWN_LINES`. */
  readonly long: readonly string[];
  /** Functions that hold state without a name. */
  readonly nameless: readonly string[];
  /** Lines that `run` loads. */
  readonly runLoads: number;
}

export interface Measured extends Budget {
  /** Parameters, and how many of them a function only hands on. */
  readonly parameters: { readonly all: number; readonly handedOn: number };
  readonly files: number;
}

interface File {
  readonly path: string;
  readonly text: string;
  readonly size: Size;
  readonly source: ts.SourceFile;
}

export function budget(): Budget {
  return JSON.parse(readFileSync(join(ROOT, 'test/budget.json'), 'utf8')) as Budget;
}

export function measure(): Measured {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => read(relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const rooms: Record<string, Size> = {};
  for (const { path, size } of files)
    for (const room of roomsOf(path)) {
      const { lines, tokens } = rooms[room] ?? { lines: 0, tokens: 0 };
      rooms[room] = { lines: lines + size.lines, tokens: tokens + size.tokens };
    }
  const functions = files.flatMap((file) => functionsOf(file));
  const handed = functions.flatMap(({ parameters }) => parameters);
  return {
    rooms: Object.fromEntries(Object.entries(rooms).sort(([a], [b]) => (a < b ? -1 : 1))),
    long: functions.filter(({ ownLines }) => ownLines > OWN_LINES).map(({ name }) => name),
    nameless: functions.filter(({ isNameless }) => isNameless).map(({ name }) => name),
    runLoads: loadedBy('src/cli/commands/run.ts', files),
    parameters: { all: handed.length, handedOn: handed.filter(Boolean).length },
    files: files.length,
  };
}

function read(path: string): File {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, text, source, size: { lines: text.split('\n').length - 1, tokens: countTokens(source) } };
}

/** Leaves of the syntax tree with a text. */
function countTokens(source: ts.SourceFile): number {
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node) && node.kind !== ts.SyntaxKind.EndOfFileToken) tokens += 1;
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return tokens;
}

function roomsOf(path: string): string[] {
  const [, room = '', ...rest] = path.split('/');
  const within =
    room === 'core' || room === 'features' ? [`${room}/${(rest[0] ?? '').replace(/\.ts$/, '')}`] : [];
  return room === 'features' ? ['src', ...within] : ['src', room, ...within];
}

/** Lines of a file and of everything that it loads at once, as values. */
function loadedBy(first: string, files: readonly File[]): number {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || loaded.has(path)) return;
    loaded.add(path);
    for (const [, name = ''] of file.text.matchAll(
      /^(?:import|export) (?!type\b)[^'"`;]*?from '(\.[^']+)'/gm,
    ))
      visit(join(dirname(path), name).replaceAll('\\', '/').replace(/\.js$/, '.ts'));
  };
  visit(first);
  return [...loaded].reduce((lines, path) => lines + (byPath.get(path)?.size.lines ?? 0), 0);
}

interface MeasuredFunction {
  readonly name: string;
  readonly ownLines: number;
  readonly isNameless: boolean;
  /** Of each of its parameters, whether it is only handed on. */
  readonly parameters: readonly boolean[];
}

function functionsOf({ path, source }: File): MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const inner = functionsIn(node.body);
      found.push({
        name: `${path} ${nameOf(node)}`,
        ownLines: linesOf(node, source) - inner.reduce((sum, each) => sum + linesOf(each, source) - 1, 0),
        isNameless: isNameless(node.body, inner),
        parameters: parametersOf(node, node.body),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The functions directly within: not those within them. */
function functionsIn(body: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) found.push(node);
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return ts.isFunctionLike(body) ? [body] : found;
}

function linesOf(node: ts.Node, source: ts.SourceFile): number {
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart(source)) + 1;
}

function nameOf(node: ts.Node): string {
  const { name } = node as { readonly name?: ts.Node };
  if (name !== undefined) return name.getText();
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return parent.name.getText();
  return ts.isConstructorDeclaration(node) ? 'constructor' : nearestName(parent);
}

/** `in pushArea`, for a function without a name of its own. */
function nearestName(node: ts.Node | undefined): string {
  for (let at = node; at !== undefined; at = at.parent)
    if (ts.isFunctionLike(at) && 'body' in at) return `in ${nameOf(at)}`;
  return 'at the top';
}

function isNameless(body: ts.Node, inner: readonly ts.Node[]): boolean {
  const changing = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Let) !== 0)
      node.declarations.forEach(({ name }) => ts.isIdentifier(name) && changing.add(name.text));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  const used = inner.map((each) => [...namesIn(each)].filter((name) => changing.has(name)));
  const shared = new Set(used.flat());
  return shared.size >= VARIABLES && used.filter((names) => names.length > 0).length >= SHARED_BY;
}

function namesIn(node: ts.Node, found = new Set<string>()): ReadonlySet<string> {
  if (ts.isIdentifier(node)) found.add(node.text);
  ts.forEachChild(node, (child) => void namesIn(child, found));
  return found;
}

function parametersOf({ parameters }: ts.SignatureDeclaration, body: ts.Node): boolean[] {
  const names = parameters.flatMap(({ name }) => bindingsOf(name));
  return names.map((name) => {
    const uses: boolean[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && node.text === name && !isPropertyName(node)) uses.push(isHandedOn(node));
      ts.forEachChild(node, visit);
    };
    visit(body);
    return uses.length > 0 && uses.every(Boolean);
  });
}

function bindingsOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? bindingsOf(element.name) : []));
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

/** An argument of a call, or a value of an object that is made. */
function isHandedOn(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isSpreadAssignment(parent)) return true;
  return ts.isPropertyAssignment(parent) && parent.initializer === node;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const measured = measure();
  const kept = budget();
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(22) : String(cell).padStart(9))).join('');
  const lines = Object.entries(measured.rooms).map(([room, { lines, tokens }]) =>
    row([room, lines, kept.rooms[room]?.lines ?? '-', tokens, kept.rooms[room]?.tokens ?? '-']),
  );
  const { all, handedOn } = measured.parameters;
  process.stdout.write(
    [
      row(['room', 'lines', 'budget', 'tokens', 'budget']),
      ...lines,
      '',
      `${measured.files} files. \`run\` loads ${measured.runLoads} lines (budget ${kept.runLoads}).`,
      `Functions with more than ${OWN_LINES} lines of their own: ${measured.long.length}`,
      ...measured.long.map((name) => `  ${name}`),
      `Functions with nameless state: ${measured.nameless.length}`,
      ...measured.nameless.map((name) => `  ${name}`),
      `Parameters only handed on: ${handedOn} of ${all}, ${((100 * handedOn) / all).toFixed(1)} %`,
      '',
    ].join('\n'),
  );
}
