import { isMap, isScalar, LineCounter, parseDocument, visit, type Document, type YAMLError } from 'yaml';
import { EXAMPLE } from './examples.js';
import type { Problem } from './problem.js';
import { takeUnquotedValues } from './unquoted-values.js';

export interface ParsedYaml {
  /** Plain data; null when the file is unusable. */
  readonly data: unknown;
  readonly document: Document;
  readonly lines: LineCounter;
  /** Syntax errors, duplicate keys and values that need quotes, with line and column; never with a value. */
  readonly problems: readonly Problem[];
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
/** What the parser reports for every line after its first error. */
const LOST = new Set([
  'UNEXPECTED_TOKEN',
  'MISSING_CHAR',
  'BAD_INDENT',
  'MULTILINE_IMPLICIT_KEY',
  'IMPOSSIBLE',
]);

/**
 * Parses the configuration's text.
 *
 * @param text the file's content
 * @param example shows what belongs into an empty one
 * @returns data and document with all syntax problems; duplicate keys and values that need quotes leave the data
 *   usable, so that all problems are reported together
 */
export function parseYaml(text: string, example = EXAMPLE): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const errors = document.errors.map((error) => problemOf(error, text, document, lines));
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY'))
    return { data: null, document, lines, problems: withoutCascades(document.errors, errors) };
  if (isEmpty(document)) {
    const message = `the configuration is empty; ${example} shows what belongs here`;
    return { data: null, document, lines, problems: [...errors, { path: [], line: 1, message }] };
  }
  const unquoted = takeUnquotedValues(document).map(({ path, offset, message }) => ({
    path,
    ...placeOf(lines, offset),
    message,
  }));
  const problems = [...errors, ...unquoted];
  try {
    return { data: document.toJS() as unknown, document, lines, problems };
  } catch {
    // A bomb of aliases shows only when the data is built.
    const message = 'aliases (*) repeat too much; write the values out';
    return { data: null, document, lines, problems: [...problems, { path: [], line: 1, message }] };
  }
}

/** Comments only, `---`, `{}` or `~`. */
function isEmpty({ contents }: Document): boolean {
  if (contents === null || (isScalar(contents) && contents.value === null)) return true;
  return isMap(contents) && contents.items.length === 0;
}

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
  const bracket = /[[{,].*\$\{/.test(text.split('\n')[place.line - 1] ?? '');
  return { path: [], ...place, message: bracket ? `${sentence} (${IN_BRACKETS})` : sentence };
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

function keyAt(text: string, start: number): string {
  return `"${/^["']?([^"':\s]*)/.exec(text.slice(start))?.[1] ?? ''}"`;
}

/** One slip causes several errors, on its line and the next ones; the first error names the cause. */
function withoutCascades(errors: readonly YAMLError[], problems: readonly Problem[]): Problem[] {
  const lostAt = errors.findIndex(({ code }) => LOST.has(code));
  const kept = problems.filter((_, index) => {
    const code = errors[index]?.code ?? '';
    const follows = lostAt >= 0 && index > lostAt;
    return !(follows && (LOST.has(code) || code === 'BLOCK_AS_IMPLICIT_KEY'));
  });
  return kept.filter(({ line }, index) => kept.findIndex((other) => other.line === line) === index);
}
