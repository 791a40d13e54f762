const QUESTION = /^\s*--\s*decide:\s*(.*)$/i;
const COMMENT = /^\s*--\s?(.*)$/;
/** The condition or the column that a draft offers, still commented out. */
const OFFERED = /^\s*--\s*(?:and\b|\S.* as \w+,$)/i;
const TAKEN = /^\s*and\b/i;

/**
 * The questions of a drafted query that nobody has answered: its comments with `decide:`. One whose condition is no longer
 * commented out is answered. Pure.
 */
export function openDecisions(sql: string): readonly string[] {
  const lines = sql.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const begin = QUESTION.exec(line)?.[1];
    if (begin === undefined) return [];
    const rest: string[] = [];
    let next = at + 1;
    for (; next < lines.length && continues(lines[next] ?? ''); next += 1)
      rest.push(COMMENT.exec(lines[next] ?? '')?.[1]?.trim() ?? '');
    return TAKEN.test(lines[next] ?? '') ? [] : [[begin.trim(), ...rest].join(' ')];
  });
}

/** A long question goes on in the next comment. */
function continues(line: string): boolean {
  return COMMENT.test(line) && !QUESTION.test(line) && !OFFERED.test(line);
}
