/** Header names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's only value; null when it is missing, empty or repeated. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}
