import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { ROOT } from '../../docs/generate.js';
import { markdownFiles, proseOf } from './read-pages.js';

/** Words that docs/glossary.md replaced, and what stands in their place. */
const RETIRED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(tell|tells|told|telling)\b/i, 'report, notify, log, say or show'],
  [/\b(mend|mends|mended|mending)\b/i, 'fix or correct'],
  [/\b(cure|cures|cured)\b/i, 'hint, or "what to do"'],
  [/\bwanted\b/i, 'desired'],
  [/\banew\b/i, 'again'],
  [/\b(permit|permits|permitted)\b/i, 'approve or allow'],
  [/\bheld otherwise\b/i, 'differs at the platform'],
  [/\b(its|his|theirs|yours) (to say|say)\b/i, 'decides'],
  [/\b(is|are|was) no [\w-]+, so\b/i, 'a main clause with a verb'],
  [/\bthere to be\b/i, 'a main clause with a verb'],
  [/\brefused (record|row)s?\b|\b(record|row)s? (is|are|was|were) refused\b/i, 'rejected'],
];

/** The same, on pages only. */
const RETIRED_ON_PAGES: typeof RETIRED = [[/\b(stand|stands) (in|under|below)\b/i, 'is, are']];

interface Text {
  readonly where: string;
  readonly text: string;
}

/** Literals and comments of a source file, each with its line; for templates, the parts between the values. */
function textsOf(file: string): Text[] {
  const code = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const add = (position: number, text: string): void => {
    texts.push({ where: `${file}:${source.getLineAndCharacterOfPosition(position).line + 1}`, text });
  };
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    // One word alone is a name: a column, a state, an event.
    if (isText && node.text.trim().includes(' ')) add(node.getStart(), node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const { index, 0: text } of code.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)) add(index, text);
  return texts;
}

const sourceFiles = ['src', 'migrations'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const pages = markdownFiles().filter((file) => file !== 'CHANGELOG.md');

/** `file:line: the word → what to say instead`. */
function retiredIn(texts: readonly Text[], words = RETIRED): string[] {
  return texts.flatMap(({ where, text }) =>
    words.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text);
      return found ? [`${where}: "${found[0]}" → ${instead}`] : [];
    }),
  );
}

it('no message, comment or help text of the program has a retired word', () => {
  expect(retiredIn(sourceFiles.flatMap(textsOf))).toEqual([]);
});

it('no page of the documentation has a retired word', () => {
  const texts = pages.map((page) => ({ where: page, text: proseOf(page) }));
  expect(retiredIn(texts, [...RETIRED, ...RETIRED_ON_PAGES])).toEqual([]);
});

it('finds a retired word in a literal, in a template and in a comment', () => {
  const texts = ['Nobody is told', 'Mend it', '// what is wanted'].map((text) => ({ where: 'x.ts:1', text }));
  expect(retiredIn(texts)).toEqual([
    'x.ts:1: "told" → report, notify, log, say or show',
    'x.ts:1: "Mend" → fix or correct',
    'x.ts:1: "wanted" → desired',
  ]);
});
