import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closest } from '../../core/domain/closest.js';
import { usageError } from '../../core/domain/errors.js';
import type { Handler } from '../common-options.js';
import { PACKAGE_ROOT } from '../compose/package-info.js';
import { writeOut } from '../output/write.js';

/*
 * Help without a network: how a command is called, and the pages of docs, which come with the program. Sections have the
 * names that anchors have on the web; a heading is understood, too.
 */

const DOCS = join(PACKAGE_ROOT, 'docs');

/** What `help runbook` searches, the first one first. */
const RUNBOOK = ['operate', 'reference/codes', 'fleet/README'];

/** The page that fits on a wall is printed as a whole. */
const CARD = 'card';

export const helpCommand: Handler = ({ command, arguments: [topic, section] }) => {
  const program = command.parent ?? command;
  const named = program.commands.find((one) => one.name() === topic);
  const pages = topic === 'runbook' ? RUNBOOK : topic === undefined ? [] : pageNamed(topic);
  if (topic === undefined) program.outputHelp();
  else if (named !== undefined) named.outputHelp();
  else if (pages.length > 0) writeOut(pageText(topic, pages, section));
  else throw unknown(topic, [...program.commands.map((one) => one.name()), 'runbook', ...pageNames()]);
  return 0;
};

/** Pages without their ending; `start.md` names the page where `start` is a command. */
function pageNames(): readonly string[] {
  if (!existsSync(DOCS)) return [];
  return readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
}

const pageNamed = (topic: string): readonly string[] =>
  pageNames().filter((name) => name === topic.replace(/\.md$/, ''));

function unknown(name: string, names: readonly string[]) {
  const near = closest(name, names);
  return usageError(`There is no command ${name}.`, near === null ? undefined : `Did you mean ${near}?`);
}

/** A heading of a page, with its text up to the next one that is not below it. */
interface Section {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

/** The list of all sections, one of them, or the line of a list about a code. Errors: SyncError `usage`. */
function pageText(topic: string, pages: readonly string[], name: string | undefined): string {
  const texts = pages.map((page) => readFileSync(join(DOCS, `${page}.md`), 'utf8'));
  if (name === undefined && topic.startsWith(CARD)) return readable(texts.join('\n'), topic);
  const sections = texts.flatMap((text) => sectionsOf(text, topic));
  if (name === undefined) {
    const lines = sections.map(
      ({ anchor, heading }) => `  ${anchor}${heading === anchor ? '' : `: ${heading}`}`,
    );
    return `Sections (placement-sync help ${topic} SECTION):\n${lines.join('\n')}`;
  }
  const wanted = anchorOf(name);
  const found = sections.find(({ anchor }) => anchor === wanted);
  if (found !== undefined) return found.text;
  const line = texts.flatMap((text) => text.split('\n')).find((each) => each.startsWith(`- \`${name}\` `));
  if (line !== undefined) return readable(line, topic);
  const near = closest(
    wanted,
    sections.map(({ anchor }) => anchor),
  );
  throw usageError(
    `${topic} has no section ${name}.`,
    `${near === null ? '' : `Did you mean ${near}? `}placement-sync help ${topic} lists all.`,
  );
}

function sectionsOf(page: string, topic: string): readonly Section[] {
  const headings = [...page.matchAll(/^(#{2,3}) +(.+?) *$/gm)].filter(({ index }) => !inCode(page, index));
  return headings.map(({ 1: signs = '', 2: heading = '', index }, at) => {
    const end = headings.slice(at + 1).find(({ 1: next = '' }) => next.length <= signs.length);
    return { anchor: anchorOf(heading), heading, text: readable(page.slice(index, end?.index), topic) };
  });
}

/** Whether a place is within a fenced block, where a line with # is a comment. */
function inCode(page: string, at: number): boolean {
  return (page.slice(0, at).match(/^ *```/gm)?.length ?? 0) % 2 === 1;
}

/** As GitHub makes it of a heading; none of ours comes twice on a page. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** For a terminal: links name the section or the page to ask for, and marks of the generator are left out. */
function readable(text: string, topic: string): string {
  return text
    .replace(/^<!--.*-->\n+/gm, '')
    .replace(/!\[[^\]]*\]\([^)]*\)\n*/g, '')
    .replace(/\[([^\]]+)\]\(#([^)]+)\)/g, `$1 (help ${topic} $2)`)
    .replace(
      /\[([^\]]+)\]\((?:\.\.\/)?(?:operate|reference\/codes|fleet\/README)\.md#([^)]+)\)/g,
      '$1 (help runbook $2)',
    )
    .replace(/\[([^\]]+)\]\((?:\.\.\/)?([\w-]+\.md)#([^)]+)\)/g, '$1 (help $2 $3)')
    .replace(/\[([^\]]+)\]\(\.\.\/([^)#]+)[^)]*\)/g, '$1 ($2)')
    .replace(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, '$1 (docs/$2)')
    .trim();
}
