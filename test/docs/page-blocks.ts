import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../docs/generate.js';

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
