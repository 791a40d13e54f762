/** A place in a text, both numbers from 1; columns count characters (code points). */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Line and column of a UTF-16 offset. */
export function positionIn(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

/** UTF-16 offset of the character with this number (from 0, counted in code points, as Postgres counts). */
export function offsetOfCharacter(text: string, number: number): number {
  let offset = 0;
  for (const character of text) {
    if (number-- <= 0) break;
    offset += character.length;
  }
  return offset;
}
