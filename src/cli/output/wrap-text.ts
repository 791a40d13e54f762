/**
 * Breaks lines between words so that none is wider than `width` columns; continued lines have `hanging` more blanks of
 * indent. A word wider than the terminal (an address, a key) stays whole, so that you can copy it. Undefined: no breaks. Pure.
 */
export function wrapText(text: string, width: number | undefined, hanging = 2): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : wrapLine(line, width, hanging)))
    .join('\n');
}

function wrapLine(line: string, width: number, more: number): string {
  const indent = /^[ ]*/.exec(line)?.[0] ?? '';
  const hanging = `${indent}${' '.repeat(more)}`;
  const lines: string[] = [];
  let current = indent;
  let empty = true;
  for (const word of line.slice(indent.length).split(' ')) {
    if (!empty && current.length + 1 + word.length > width) {
      lines.push(current);
      current = hanging + word;
    } else {
      current += empty ? word : ` ${word}`;
    }
    empty = false;
  }
  return [...lines, current].map((each) => each.trimEnd()).join('\n');
}

/** At most `width` characters; … replaces what was cut off the end. Pure. */
export function cutText(text: string, width: number | undefined): string {
  return width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0))}…`;
}
