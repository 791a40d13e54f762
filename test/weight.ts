import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * What the tree weighs, and a ratchet: test/weight.txt keeps the figures, test/architecture.test.ts refuses a tree that
 * weighs more. So growth is a line of a change that somebody reads, and a file too small to stand alone needs a reason.
 *
 *   npm run weight              prints the figures
 *   npm run weight -- --write   keeps them
 */

const ROOT = join(import.meta.dirname, '..');
const KEPT = join(ROOT, 'test/weight.txt');

/** A file of fewer lines, which a single file of its own folder imports, belongs into that one. */
const SMALL = 40;

const COMMAND = 'each command is a file of its own, loaded only when it is called';

/** Small files that stand alone all the same, and why. */
export const ALONE: Readonly<Record<string, string>> = {
  'src/cli/commands/explain.ts': COMMAND,
  'src/cli/commands/inbox.ts': COMMAND,
  'src/cli/commands/notify.ts': COMMAND,
  'src/cli/run-cli.ts': 'tests run a command line without the process that src/cli/main.ts prepares',
};

/** A folder of src. */
interface Room {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  /** As TypeScript's scanner counts them: longer lines do not hide anything. */
  readonly tokens: number;
  /** Files that another folder imports. */
  readonly doors: number;
  /** The lines of its longest file. */
  readonly longest: number;
}

interface Weight {
  readonly rooms: readonly Room[];
  /** Small files with a single importer beside them. */
  readonly small: readonly string[];
  readonly tests: { readonly files: number; readonly lines: number };
  /** README.md and docs, without what only a machine reads. */
  readonly words: number;
}

interface File {
  readonly path: string;
  readonly room: string;
  readonly lines: number;
  readonly tokens: number;
  readonly imports: readonly string[];
}

export function weigh(): Weight {
  const files = read('src', '.ts').map(asFile);
  const importers = new Map<string, File[]>();
  for (const file of files)
    for (const path of new Set(file.imports)) importers.set(path, [...(importers.get(path) ?? []), file]);
  const importersOf = ({ path }: File) => importers.get(path) ?? [];
  const isDoor = (file: File) => importersOf(file).some(({ room }) => room !== file.room);
  const isSmall = (file: File) => {
    const [only, ...others] = importersOf(file);
    return file.lines < SMALL && only !== undefined && others.length === 0 && only.room === file.room;
  };
  const rooms = [...new Set(files.map(({ room }) => room))].sort().map((name) => {
    const own = files.filter(({ room }) => room === name);
    return {
      name,
      files: own.length,
      lines: sum(own.map(({ lines }) => lines)),
      tokens: sum(own.map(({ tokens }) => tokens)),
      doors: own.filter(isDoor).length,
      longest: Math.max(...own.map(({ lines }) => lines)),
    };
  });
  const tests = read('test', '.ts');
  const pages = [...read('docs', '.md'), { text: readFileSync(join(ROOT, 'README.md'), 'utf8') }];
  return {
    rooms,
    small: files.filter(isSmall).map(({ path }) => path),
    tests: { files: tests.length, lines: sum(tests.map(({ text }) => linesOf(text))) },
    words: sum(pages.map(({ text }) => text.split(/\s+/).filter(Boolean).length)),
  };
}

/**
 * The figures as test/weight.txt keeps them. Tokens, lines of tests and words are rounded up, so that a corrected line
 * does not touch the table.
 */
export function table({ rooms, tests, words }: Weight): string {
  const total: Room = {
    name: 'src',
    files: sum(rooms.map(({ files }) => files)),
    lines: sum(rooms.map(({ lines }) => lines)),
    tokens: sum(rooms.map(({ tokens }) => tokens)),
    doors: sum(rooms.map(({ doors }) => doors)),
    longest: Math.max(...rooms.map(({ longest }) => longest)),
  };
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(12) : String(cell).padStart(9))).join('');
  return [
    row(['folder', 'files', 'tokens', 'doors']),
    ...[...rooms, total].map(({ name, files, tokens, doors }) =>
      row([name, files, upTo(tokens, 1_000), doors]),
    ),
    '',
    row(['test', tests.files, 'files']),
    row(['', upTo(tests.lines, 500), 'lines']),
    row(['docs', upTo(words, 500), 'words']),
    '',
  ].join('\n');
}

/** What test/weight.txt keeps. */
export function keptTable(): string {
  return readFileSync(KEPT, 'utf8');
}

function read(top: string, end: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function asFile({ path, text }: { readonly path: string; readonly text: string }): File {
  const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return {
    path,
    room: path.split('/')[1] ?? '',
    lines: linesOf(text),
    tokens: countTokens(text),
    imports: imports
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(path), name).replaceAll('\\', '/').replace(/\.js$/, '.ts')),
  };
}

/** The scanner does not know by itself where a template goes on after its `${…}`, and where a slash begins a pattern. */
function countTokens(text: string): number {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  /** Of each template that is open, the braces open within its `${…}`. */
  const templates: number[] = [];
  let last = ts.SyntaxKind.Unknown;
  for (let tokens = 0; ; tokens += 1) {
    let token = scanner.scan();
    if (token === ts.SyntaxKind.CloseBraceToken && templates.at(-1) === 0) {
      token = scanner.reScanTemplateToken(false);
      templates.pop();
    } else if (token === ts.SyntaxKind.SlashToken || token === ts.SyntaxKind.SlashEqualsToken) {
      if (!endsValue(last)) token = scanner.reScanSlashToken();
    }
    const open = templates.length - 1;
    if (token === ts.SyntaxKind.TemplateHead || token === ts.SyntaxKind.TemplateMiddle) templates.push(0);
    else if (token === ts.SyntaxKind.OpenBraceToken && open >= 0)
      templates[open] = (templates[open] ?? 0) + 1;
    else if (token === ts.SyntaxKind.CloseBraceToken && open >= 0)
      templates[open] = (templates[open] ?? 0) - 1;
    else if (token === ts.SyntaxKind.EndOfFileToken) return tokens;
    last = token;
  }
}

/** A slash behind it divides. */
function endsValue(token: ts.SyntaxKind): boolean {
  return (
    token === ts.SyntaxKind.Identifier ||
    token === ts.SyntaxKind.NumericLiteral ||
    token === ts.SyntaxKind.CloseParenToken ||
    token === ts.SyntaxKind.CloseBracketToken ||
    token === ts.SyntaxKind.TemplateTail ||
    token === ts.SyntaxKind.NoSubstitutionTemplateLiteral
  );
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function upTo(number: number, step: number): number {
  return Math.ceil(number / step) * step;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const weight = weigh();
  const text = table(weight);
  if (process.argv.includes('--write')) writeFileSync(KEPT, text);
  const lines = sum(weight.rooms.map((room) => room.lines));
  const longest = Math.max(...weight.rooms.map((room) => room.longest));
  process.stdout.write(`${text}\nsrc has ${lines} lines, its longest file ${longest}.\n`);
  for (const path of weight.small) process.stdout.write(`small: ${path}\n`);
}
