/** The text of a code; null: none, then the code stands alone. */
export function codeText(texts: Readonly<Record<string, string>>, code: string): string | null {
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
