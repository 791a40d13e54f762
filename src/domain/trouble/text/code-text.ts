/** The text of a code; null: there is none, and the code speaks for itself. */
export function codeText(texts: Readonly<Record<string, string>>, code: string): string | null {
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
