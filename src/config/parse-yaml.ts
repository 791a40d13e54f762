import { isMap, LineCounter, parseDocument, type Document } from 'yaml';
import type { Problem } from './problem.js';

export interface ParsedYaml {
  /** Plain data; null when the file is unusable. */
  readonly data: unknown;
  readonly document: Document;
  readonly lines: LineCounter;
  /** Syntax errors and duplicate keys, with their lines. */
  readonly problems: readonly Problem[];
}

/** The parser's codes that a person cannot do much with, in plain words. */
const SENTENCES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used for indentation; use spaces',
  BAD_INDENT: 'the indentation does not fit the lines around it',
  BLOCK_AS_IMPLICIT_KEY:
    'a second "key: value" in one line, or wrong indentation; text with ": " in it needs quotes',
  MULTILINE_IMPLICIT_KEY: 'a line without "key: value", or wrong indentation',
  MULTIPLE_DOCS: 'a second document begins ("---"); the configuration is one document',
  UNEXPECTED_TOKEN: 'something here is not YAML; text with special characters needs quotes',
  BAD_SCALAR_START: 'a value cannot begin with this character; put the value in quotes',
};
const IN_BRACKETS = 'inside [ ] and { }, put "${NAME}" in quotes';

/**
 * Parses the configuration's text.
 *
 * @param text the file's content
 * @returns data and document with all syntax problems; duplicate keys leave the data usable, so that the
 *   other problems can be told at the same time
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map((error) => {
    const [start] = error.pos;
    const { line } = lines.linePos(start);
    if (error.code === 'DUPLICATE_KEY')
      return { path: [], line, message: `${keyAt(text, start)} is set twice in the same place` };
    const sentence = SENTENCES[error.code] ?? error.message;
    const bracket = /[[{,].*\$\{/.test(text.split('\n')[line - 1] ?? '');
    return { path: [], line, message: bracket ? `${sentence} (${IN_BRACKETS})` : sentence };
  });
  const usable = document.errors.every((error) => error.code === 'DUPLICATE_KEY');
  if (!usable) return { data: null, document, lines, problems: oneALine(problems) };
  if (document.contents === null || (isMap(document.contents) && document.contents.items.length === 0)) {
    const message = 'the configuration is empty; config/placement-sync.example.yaml shows what belongs here';
    return { data: null, document, lines, problems: [...problems, { path: [], line: 1, message }] };
  }
  try {
    return { data: document.toJS() as unknown, document, lines, problems };
  } catch (error) {
    // An alias without its anchor, or a bomb of aliases: found only when the data is built.
    const message = error instanceof Error ? error.message : 'the YAML cannot be read';
    return { data: null, document, lines, problems: [...problems, { path: [], line: 1, message }] };
  }
}

function keyAt(text: string, start: number): string {
  return `"${/^["']?([^"':\s]*)/.exec(text.slice(start))?.[1] ?? ''}"`;
}

/** One slip makes several errors in a row; the first of a line is the one that helps. */
function oneALine(problems: readonly Problem[]): Problem[] {
  return problems.filter(
    (problem, index) => problems.findIndex((other) => other.line === problem.line) === index,
  );
}
