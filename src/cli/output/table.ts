import Table from 'cli-table3';
import type { EntityName } from '../../core/domain/names.js';
import type { EntityReport } from '../../core/domain/outcome.js';
import { grouped } from '../../core/domain/text.js';
import { isUnread } from '../../core/domain/trouble/find-troubles.js';
import type { TroubleFacts } from '../../core/domain/trouble/trouble.js';
import { io } from '../io.js';
import { type Colour, cutText, painted, widthOf, wrapText } from './write.js';

const NO_FRAME = Object.fromEntries(
  [
    'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right',
    'right-mid middle',
  ].flatMap((parts) => parts.split(' ').map((part) => [part, ''])),
);

export type Cell = string | number | { readonly text: string | number; readonly colour: Colour | null };

const GAP = 2;

/**
 * A plain table; numbers are right-aligned. If it is wider than the terminal, rows become columns. If that is too wide
 * as well, every row becomes a block of lines. A pipe always gets the plain table.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  width = widthOf(io().stdout),
): string {
  if (width === undefined || tableWidth([head, ...rows]) <= width) return render(head, rows);
  const turned = head.map((name, column) => [name, ...rows.map((row) => row[column] ?? '')]);
  const [top = [], ...below] = turned;
  if (tableWidth(turned) <= width) return render(top.map(cellText), below);
  return rows.map((row) => block(head, row, width)).join('\n');
}

/** Fewer characters of a text say nothing. */
const SHORTEST = 10;

/**
 * A table whose texts in the columns `cut` are cut where it is wider than the terminal; `table` decides where that is not
 * enough. Each of them gets an equal share of the room, and what a shorter one leaves.
 */
export function fittedTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  cut: readonly number[],
  width = widthOf(io().stdout),
): string {
  const widthIn = (column: number) =>
    Math.max(...[head, ...rows].map((row) => cellText(row[column] ?? '').length));
  const over = width === undefined ? 0 : tableWidth([head, ...rows]) - width;
  const natural = cut.map(widthIn);
  const room = natural.reduce((sum, each) => sum + each, -over);
  if (over <= 0 || room < cut.length * SHORTEST) return table(head, rows, width);
  const shares = new Map<number, number>();
  let left = room;
  [...cut.keys()]
    .sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0))
    .forEach((place, done) => {
      const share = Math.min(natural[place] ?? 0, Math.floor(left / (cut.length - done)));
      shares.set(cut[place] ?? 0, share);
      left -= share;
    });
  const fitted = (cell: Cell, column: number): Cell =>
    typeof cell === 'string' ? cutText(cell, shares.get(column)) : cell;
  return table(
    head,
    rows.map((row) => row.map(fitted)),
    width,
  );
}

/** One row as lines: its first cell, then name and value of the others; a value that is too long goes on below itself. */
function block(head: readonly string[], row: readonly Cell[], width: number): string {
  const longest = Math.max(...head.map((name) => name.length));
  const lines = head.slice(1).map((name, index) => {
    const start = `  ${name.padEnd(longest)}  `;
    const cell = row[index + 1] ?? '';
    const text = cellText(cell);
    if (start.length + text.length <= width) return start + paintedCell(cell);
    return start + wrapText(' '.repeat(start.length) + text, width).trimStart();
  });
  return [paintedCell(row[0] ?? ''), ...lines].map((line) => line.trimEnd()).join('\n');
}

function render(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const made = new Table({
    head: head.map((name) => (name === '' ? '' : painted(name, 'bold'))),
    // The library would colour head and border by itself.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    chars: NO_FRAME,
    colAligns: head.map((_, column) =>
      rows.some((row) => typeof plain(row[column] ?? '') === 'number') ? 'right' : 'left',
    ),
  });
  made.push(...rows.map((row) => row.map(paintedCell)));
  // Padding at the end would wrap a line that just fits the terminal.
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function tableWidth(rows: readonly (readonly Cell[])[]): number {
  const columns =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => cellText(row[column] ?? '').length))) ?? [];
  return columns.reduce((sum, width) => sum + width + GAP, -GAP);
}

function cellText(cell: Cell): string {
  const text = plain(cell);
  return typeof text === 'number' ? grouped(text) : text;
}

function paintedCell(cell: Cell): string {
  const text = cellText(cell);
  return typeof cell === 'object' && cell.colour !== null ? painted(text, cell.colour) : text;
}

function plain(cell: Cell): string | number {
  return typeof cell === 'object' ? cell.text : cell;
}

/** A number of a table; one of records that are rejected, invalid, deferred or waiting in the colour of that. */
export function countCell(column: string, count: number): Cell {
  return { text: count, colour: count === 0 ? null : statusColour(column) };
}

/** The colour of a record's status, as the dashboard has it; null: none, or no status. */
export function statusColour(status: string): Colour | null {
  if (status === 'rejected' || status === 'invalid') return 'red';
  return status === 'deferred' || status === 'waiting' ? 'yellow' : null;
}

const OF_SWEEP = ['read', 'unchanged', 'new', 'changed', 'vanished', 'invalid'] as const;
const OF_PUSH = ['sent', 'accepted', 'rejected'] as const;
/** Everything that is not at the platform yet, whichever run found or deferred it. */
const LEFT = ['deferred', 'waiting', 'pending'] as const;

/**
 * What a run did, one row for each entity. An entity that was not read shows that instead of zeros; a run that read
 * nothing has no such columns. What is left comes from the ledger, or from the report if that could not be read.
 */
export function runTable(
  reports: Readonly<Record<EntityName, EntityReport>>,
  read: ReadonlySet<EntityName>,
  facts: Pick<TroubleFacts, 'entities'>,
): string {
  const sweeps = read.size > 0 || Object.values(reports).some(({ error }) => isUnread(error));
  const rows = Object.entries(reports).map(([name, report]) => {
    const left = facts.entities.find((one) => one.name === name)?.counts ?? report;
    return [
      name,
      ...(sweeps
        ? read.has(name)
          ? OF_SWEEP.map((column) => countCell(column, report[column]))
          : NOT_READ
        : []),
      ...OF_PUSH.map((column) => countCell(column, report[column])),
      ...LEFT.map((column) => countCell(column, left[column])),
    ];
  });
  return table(['', ...(sweeps ? OF_SWEEP : []), ...OF_PUSH, ...LEFT], rows);
}

const NOT_READ = OF_SWEEP.map((_, index) => (index === 0 ? 'not read' : '-'));
