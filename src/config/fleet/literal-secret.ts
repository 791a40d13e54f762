import { mentions, replaceMentions } from '../interpolate.js';
import { SECRET_PARAMETER } from '../mask.js';

/** How a secret stands in a text; `hidden`: an address in which the password cannot be found. */
export type LiteralSecret = 'whole' | 'password' | 'hidden';

/**
 * Whether a text holds a secret itself, also in part or as a default, where only `${NAME}` may stand. Pure.
 *
 * @param text as it is written in the file
 * @param secret what the schema says about the setting
 * @returns null: it does not, or the text is so wrong that the schema refuses it
 */
export function literalSecret(text: string, secret: 'whole' | 'address'): LiteralSecret | null {
  const word = unusedNumber(text);
  const filled = (stand: string) =>
    replaceMentions(text, ({ fallback }) => (fallback === null || fallback === '' ? stand : fallback));
  const onlyReferences = (value: string, stand: string) => value.replaceAll(stand, '') === '';
  if (onlyReferences(filled(word).trim(), word)) return null;
  if (secret === 'whole') return 'whole';
  // A number fits where a port stands, a word where a host does.
  const stand = [word, `n${word}`].find((each) => URL.canParse(filled(each)));
  const unclear = mentions(text).length > 0 ? 'hidden' : null;
  if (stand === undefined) return unclear;
  const { password, pathname, hash, searchParams } = new URL(filled(stand));
  const parameters = [...searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(name) ? value : []));
  if (![password, ...parameters].every((value) => onlyReferences(value, stand))) return 'password';
  // An @ so late: the password has a character that ends the host for a URL.
  return (pathname + hash).includes('@') ? unclear : null;
}

/** Stands for a value that is not known here. */
function unusedNumber(text: string): string {
  let number = 10_000;
  while (text.includes(String(number))) number += 1;
  return String(number);
}
