/**
 * Characters that a reader of SQL may take for a blank, or for nothing at all: all of ASCII, of White_Space, of the
 * separators (Z), of the control and format characters (C) outside of the private planes, and a few of each plane.
 */
export const SUSPECT_CHARACTERS: readonly string[] = [
  ...charactersThat(
    (character, code) => code < 0x80 || /[\s\p{White_Space}\p{Z}\p{Cc}\p{Cf}]/u.test(character),
  ),
  ...Array.from({ length: 17 }, (_, plane) =>
    [0x80, 0x1234, 0xe000, 0xfffd, 0xffff].map((low) => plane * 0x1_0000 + low),
  )
    .flat()
    .map((code) => String.fromCodePoint(code)),
];

function charactersThat(fits: (character: string, code: number) => boolean): string[] {
  const found: string[] = [];
  for (let code = 1; code <= 0x10_ffff; code += 1) {
    const character = String.fromCodePoint(code);
    // Half of a surrogate pair cannot be written in UTF-8.
    if ((code < 0xd800 || code > 0xdfff) && fits(character, code)) found.push(character);
  }
  return found;
}
