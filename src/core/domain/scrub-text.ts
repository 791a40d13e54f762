import { oneLineUpTo } from './reply/reply.js';

/** The password of an address, behind its user. */
const CREDENTIALS = /:\/\/([^\s/@:"']*):[^\s/@"']+@/g;

/** What stands in front of an e-mail address, and in no name of one. */
const BEFORE_ADDRESS = /[\s@"'<>(),;:=/*]/;

/** The domain of an e-mail address. */
const DOMAIN = /[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/y;

/**
 * Text without e-mail addresses, without passwords in addresses, and without any of `secrets`, wherever they stand. For
 * texts that leave the partner's systems. The time it takes grows with the text, and no faster.
 */
export function scrubText(text: string, secrets: readonly string[]): string {
  const known = [...secrets].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return withoutAddresses(without.replace(CREDENTIALS, '://$1:***@'));
}

/**
 * Nine digits or more, as telephone numbers and numbers of identity have, with what people write between them. Ids in
 * hexadecimal and dates come first, and stay.
 */
const LONG_NUMBER =
  /\b(?=[\d-]{0,35}[a-f])[\da-f-]{16,}\b|\b(?:19|20)\d\d-[01]\d-[0-3]\d\b|(\+?\d(?:[ ()./\\-]{0,3}\d){8,})/gi;

/** Long enough for field errors, short enough for a million rejected records. */
const LONGEST_BODY = 2_000;

/**
 * The beginning of a reply's body on one line, without e-mail addresses and without long numbers, which may be those of
 * persons; null: it has none. Secrets are not in `Reply.text`.
 */
export function maskedBody(text: string): string | null {
  // JSON may have the sign of an address in this form.
  const readable = text.replace(/\\u0040/gi, '@');
  const masked = scrubText(readable, []).replace(LONG_NUMBER, (found, number?: string) =>
    number === undefined ? found : '<number>',
  );
  return oneLineUpTo(LONGEST_BODY, masked) || null;
}

/** The same, for every text in a value; names of fields stay. */
export function scrubValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return scrubText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, secrets));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, scrubValue(part, secrets)]));
}

/**
 * Looks from each @ to both sides. Neither side goes past another @, so each character is looked at twice at most; one
 * pattern for the whole address would try a long word from each of its letters.
 */
function withoutAddresses(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let begin = at;
    while (begin > from && !BEFORE_ADDRESS.test(text.charAt(begin - 1))) begin -= 1;
    DOMAIN.lastIndex = at + 1;
    if (begin === at || !DOMAIN.test(text)) continue;
    kept += `${text.slice(from, begin)}<email>`;
    from = DOMAIN.lastIndex;
  }
  return kept + text.slice(from);
}
