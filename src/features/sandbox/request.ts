/** Header names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's only value; null when it is missing, empty or repeated. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}

type Fields = Record<string, unknown>;

/** Puts a value at a dotted path; makes the objects on the way. */
export function putAt(data: Fields, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at = data;
  for (const step of steps) at = (at[step] ??= {}) as Fields;
  at[last] = value;
}
