import Table from 'cli-table3';

/** A plain table; numbers are right-aligned. Colours only on a terminal and without NO_COLOR. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  // hasColors knows NO_COLOR and dumb terminals; a pipe does not have it.
  const colours = process.stdout.isTTY && process.stdout.hasColors();
  const made = new Table({
    head: [...head],
    style: { head: colours ? ['bold'] : [], border: colours ? ['gray'] : [], compact: true },
    colAligns: head.map((_, column) => (rows.every((row) => typeof row[column] === 'number') ? 'right' : 'left')),
  });
  made.push(...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell))));
  return made.toString();
}
