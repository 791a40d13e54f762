import {
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import type { Problem, SettingPath } from './problem.js';

/**
 * Reads YAML and explains what is wrong with it, without ever quoting the file, in which there may be secrets. Before the
 * parser has the text, `findExcess` refuses what would keep it busy. The parser's errors become sentences (`problemOf`),
 * only the first of each slip (`withoutCascades`). Then values are found that YAML takes for something else because they are
 * not in quotes (`takeUnquotedValues`).
 */

export interface ParsedYaml {
  /** Plain data; null when the file is unusable. */
  readonly data: unknown;
  readonly document: Document;
  readonly lines: LineCounter;
  /** Syntax errors, duplicate keys and values that need quotes, with line and column; never with a value. */
  readonly problems: readonly Problem[];
}

/** Errors that are explained; one slip causes many. */
const MOST_ERRORS = 100;

/**
 * Duplicate keys and values that need quotes leave the data usable, so that all problems are reported together. `example`
 * shows what belongs into an empty file.
 */
export function parseYaml(text: string, example = EXAMPLE): ParsedYaml {
  const lines = new LineCounter();
  const excess = findExcess(text);
  if (excess !== null) return refused(excess, lines);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  document.errors.splice(MOST_ERRORS);
  const errors = document.errors.map((error) => problemOf(error, text, document, lines));
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY'))
    return { data: null, document, lines, problems: withoutCascades(document.errors, errors) };
  if (isEmpty(document)) {
    const message = `the configuration is empty; ${example} shows what belongs here`;
    return { data: null, document, lines, problems: [...errors, { path: [], line: 1, message }] };
  }
  const problems = [...errors, ...takeUnquotedValues(document, lines)];
  try {
    return { data: document.toJS() as unknown, document, lines, problems };
  } catch {
    // A bomb of aliases shows only when the data is built.
    const message = 'aliases (*) repeat too much; write the values out';
    return { data: null, document, lines, problems: [...problems, { path: [], line: 1, message }] };
  }
}

const DEEPEST = 100;

/**
 * Ten times what any configuration of ours has, and little enough that the parser is done within a second: it compares
 * each key with all others of its block, and calls itself for each level.
 */
const MOST_TOKENS = 20_000;
const MOST_ALIASES = 500;

/** Blanks at the begin of a line: a level of a block needs one at least. */
const WIDEST_INDENT = 200;

/** What a text has too much of, and where; null: the parser may have it. Looks at the text once, word by word. */
function findExcess(text: string): Problem | null {
  let [tokens, aliases, open, inLine, line, atBegin] = [0, 0, 0, 0, 1, true];
  const tooMuch = (what: string) => ({ path: [], line, message: `${what}; no configuration needs that` });
  const tooDeep = () => tooMuch(`is nested deeper than ${DEEPEST} levels`);
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    tokens += 1;
    if (tokens > MOST_TOKENS) return tooMuch(`has more than ${MOST_TOKENS} keys, values and signs`);
    if (type === 'alias') aliases += 1;
    if (aliases > MOST_ALIASES) return tooMuch(`has more than ${MOST_ALIASES} aliases (*)`);
    if (type === 'flow-map-start' || type === 'flow-seq-start') open += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') open = Math.max(0, open - 1);
    // Outside of brackets, `- - - x` is three levels.
    if (open === 0 && (type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind'))
      inLine += 1;
    if (open > DEEPEST || inLine > DEEPEST) return tooDeep();
    if (type === 'space' && atBegin && token.length > WIDEST_INDENT) return tooDeep();
    atBegin = type === 'newline';
    if (atBegin) inLine = 0;
    line += token.split('\n').length - 1;
  }
  return null;
}

function refused(excess: Problem, lines: LineCounter): ParsedYaml {
  const document: Document = parseDocument('');
  document.errors.push(new YAMLParseError([0, 0], 'RESOURCE_EXHAUSTION', excess.message));
  return { data: null, document, lines, problems: [excess] };
}

const BEFORE = '; the slip may be on the line before';
/** The parser's codes in plain words. Its own messages quote the file, in which there may be secrets. */
const SENTENCES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used for indentation; use spaces',
  BAD_INDENT: `the indentation does not fit the lines around it${BEFORE}`,
  BLOCK_AS_IMPLICIT_KEY:
    'a second "key: value" in one line, or wrong indentation; text with ": " in it needs quotes',
  MULTILINE_IMPLICIT_KEY: `a line without "key: value", or wrong indentation${BEFORE}`,
  MULTIPLE_DOCS: 'a second document begins ("---"); the configuration is one document',
  UNEXPECTED_TOKEN: `something here is not YAML; text with special characters needs quotes${BEFORE}`,
  MISSING_CHAR: `a quote, bracket, comma or blank is missing${BEFORE}`,
  BAD_SCALAR_START: 'a value cannot begin with this character; put the value in quotes',
  BAD_DQ_ESCAPE:
    'text in "double quotes" has a backslash with no meaning; write \\\\ or use \'single quotes\'',
  MULTIPLE_ANCHORS: 'a value that begins with & needs quotes',
  MULTIPLE_TAGS: 'a value that begins with "!" needs quotes',
  BAD_ALIAS: 'a value that begins with * or & needs quotes',
  ALIAS_PROPS: 'a value that begins with "!" or & needs quotes',
};
const IN_BRACKETS = 'inside [ ] and { }, put "${NAME}" in quotes';

function problemOf(error: YAMLError, text: string, document: Document, lines: LineCounter): Problem {
  const [at] = error.pos;
  if (error.code === 'DUPLICATE_KEY') {
    const message = `${keyAt(text, at)} is set twice in the same place`;
    return { path: [], ...placeOf(lines, at), message };
  }
  const quote = error.code === 'MISSING_CHAR' ? openQuoteAt(document, at) : null;
  const place = placeOf(lines, quote ?? at);
  if (quote !== null) return { path: [], ...place, message: 'a quote that begins here is not closed' };
  const sentence = SENTENCES[error.code] ?? `this is not YAML as the worker reads it (${error.code})`;
  const bracket = hasMentionInBrackets(text.split('\n')[place.line - 1] ?? '');
  return { path: [], ...place, message: bracket ? `${sentence} (${IN_BRACKETS})` : sentence };
}

function keyAt(text: string, start: number): string {
  return `"${/^["']?([^"':\s]*)/.exec(text.slice(start))?.[1] ?? ''}"`;
}

function placeOf(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** Where the unclosed quoted text begins; the parser names the place where it gave up. */
function openQuoteAt(document: Document, at: number): number | null {
  let start: number | null = null;
  visit(document, {
    Scalar(_, node) {
      const quoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
      if (quoted && node.range && node.range[0] < at && at <= node.range[1]) start = node.range[0];
    },
  });
  return start;
}

/** The first sign decides: a pattern would look for the mention from each of them. */
function hasMentionInBrackets(line: string): boolean {
  const sign = line.search(/[[{,]/);
  return sign >= 0 && line.includes('${', sign + 1);
}

/** What the parser reports for every line after its first error. */
const LOST = ['UNEXPECTED_TOKEN', 'MISSING_CHAR', 'BAD_INDENT', 'MULTILINE_IMPLICIT_KEY', 'IMPOSSIBLE'];

/** One slip causes several errors, on its line and the next ones; the first error names the cause. */
function withoutCascades(errors: readonly YAMLError[], problems: readonly Problem[]): Problem[] {
  const lostAt = errors.findIndex(({ code }) => LOST.includes(code));
  const kept = problems.filter((_, index) => {
    const follows = lostAt >= 0 && index > lostAt;
    return !follows || ![...LOST, 'BLOCK_AS_IMPLICIT_KEY'].includes(errors[index]?.code ?? '');
  });
  return kept.filter(({ line }, index) => kept.findIndex((other) => other.line === line) === index);
}

/** Comments only, `---`, `{}` or `~`. */
function isEmpty({ contents }: Document): boolean {
  if (contents === null || (isScalar(contents) && contents.value === null)) return true;
  return isMap(contents) && contents.items.length === 0;
}

/**
 * Finds values that begin with `*`, `!` or `&` and were not meant as YAML's alias, tag or anchor, as passwords do.
 * Each is replaced by null in the document, so that the rest of it can be read and checked. The messages do not
 * repeat the value.
 */
function takeUnquotedValues(document: Document, lines: LineCounter): Problem[] {
  const found: Problem[] = [];
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  visit(document, {
    Node(key, node, ancestors) {
      const message = wrongWith(node, document, ancestors, used);
      if (message === null) return;
      found.push({ path: pathOf(ancestors, key), ...placeOf(lines, node.range?.[0] ?? 0), message });
      const nothing = new Scalar(null);
      nothing.range = node.range ?? null;
      return nothing;
    },
  });
  return found;
}

function wrongWith(
  node: Node,
  document: Document,
  ancestors: readonly unknown[],
  used: ReadonlySet<string>,
): string | null {
  if (isAlias(node)) {
    const target = node.resolve(document);
    if (target === undefined) return 'a value that begins with * needs quotes';
    return ancestors.includes(target) ? 'an alias (*) cannot stand inside of what it repeats' : null;
  }
  // !!str is harmless: it makes text of a number, as quotes do.
  if (node.tag !== undefined && node.tag !== 'tag:yaml.org,2002:str')
    return 'a value that begins with "!" needs quotes';
  if (isScalar(node) && node.anchor !== undefined && !used.has(node.anchor))
    return 'a value that begins with & needs quotes';
  return null;
}

function pathOf(ancestors: readonly unknown[], last: string | number | null): SettingPath {
  const path: (string | number)[] = [];
  ancestors.forEach((node, index) => {
    const next = ancestors[index + 1];
    if (isPair(node) && isScalar(node.key)) path.push(String(node.key.value));
    if (isSeq(node)) path.push(isNode(next) ? node.items.indexOf(next) : Number(last));
  });
  return path;
}

/** Files that show settings in use; seen from the project's folder. */
export const EXAMPLE = 'config/placement-sync.example.yaml';
export const FLEET_EXAMPLE = 'config/fleet.example.yaml';
export const TENANT_EXAMPLE = 'config/tenant.example.yaml';
