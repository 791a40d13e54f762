const EMAIL = /[^\s@"'<>(),;:=/*]+@[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/g;
/** The password of an address, behind its user. */
const CREDENTIALS = /:\/\/([^\s/@:"']*):[^\s/@"']+@/g;

/**
 * Text without e-mail addresses, without passwords in addresses, and without any of `secrets`, wherever they stand.
 * For texts that leave the partner's systems. Pure.
 */
export function scrubText(text: string, secrets: readonly string[]): string {
  const known = [...secrets].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return without.replace(CREDENTIALS, '://$1:***@').replace(EMAIL, '<email>');
}

/** The same, for every text in a value; names of fields stay. Pure. */
export function scrubValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return scrubText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, secrets));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, scrubValue(part, secrets)]));
}
