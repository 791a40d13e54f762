/** Deeper values are left out: no error is. */
const DEEPEST = 50;

/** A shorter text is no secret, but stands in many words. */
const SHORTEST = 8;

/** A text or JSON value in which `***` stands for each of `secrets`, also where a slash is escaped. Pure. */
export function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, secret.replaceAll('/', '\\/')])
    .sort((a, b) => b.length - a.length);
  return known.length === 0 ? value : hide(value, known, DEEPEST);
}

function hide(value: unknown, known: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return known.reduce((rest, secret) => rest.replaceAll(secret, '***'), value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => hide(item, known, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      hide(name, known, depth - 1) as string,
      hide(inner, known, depth - 1),
    ]),
  );
}
