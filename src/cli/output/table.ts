import Table from 'cli-table3';

const NO_FRAME = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'].map(
    (part) => [part, ''],
  ),
);

/** A plain table; numbers are right-aligned. Colours only on a terminal and without NO_COLOR. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  // hasColors knows NO_COLOR and dumb terminals; a pipe does not have it.
  const colours = process.stdout.isTTY && process.stdout.hasColors();
  const made = new Table({
    head: [...head],
    style: { head: colours ? ['bold'] : [], 'padding-left': 0, 'padding-right': 2 },
    // No frame: twelve columns are wide enough.
    chars: NO_FRAME,
    colAligns: head.map((_, column) => (rows.every((row) => typeof row[column] === 'number') ? 'right' : 'left')),
  });
  made.push(...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell))));
  return made.toString();
}
