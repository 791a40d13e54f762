import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../docs/generate.js';

/** Markdown of the repository: at its top, and below these folders. */
const FOLDERS = ['docs', 'deploy', 'config', 'bench', 'test'];

/** Paths of all markdown files, seen from the project's folder. */
export function markdownFiles(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const below = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  return [...top, ...below].sort();
}

/** Text of a file without its code blocks: links in them are no links. */
export function proseOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** The headings of a file, as they stand. */
export function headingsOf(file: string): string[] {
  return [...proseOf(file).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => heading);
}

/** Anchors of a file, made from its headings as GitHub makes them; a repeated heading gets a number. */
export function anchorsOf(file: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = headingsOf(file).map((heading) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

/** A fenced block or a table of a page, with the `##` heading that it stands below. */
export interface Block {
  readonly section: string;
  /** Language of a fenced block, or `table`. */
  readonly kind: string;
  readonly text: string;
}

/** Fenced blocks, also indented ones, and tables, in the order of the page. */
export function blocksOf(file: string): Block[] {
  const page = readFileSync(join(ROOT, file), 'utf8');
  const blocks: Block[] = [];
  let section = '';
  for (const { groups = {} } of page.matchAll(
    /^## +(?<heading>.+)$|^ *```(?<kind>\w*)\n(?<text>[\s\S]*?)^ *```$|(?<table>(?:^\|.*\|\n)+)/gm,
  )) {
    if (groups.heading !== undefined) section = groups.heading;
    else if (groups.table !== undefined) blocks.push({ section, kind: 'table', text: groups.table });
    else blocks.push({ section, kind: groups.kind ?? '', text: groups.text ?? '' });
  }
  return blocks;
}

/** Cells of a table, the heading first, without its line of dashes; code in cells loses its backticks. */
export function cellsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .filter((line) => !/^\|[ :|-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
    );
}
