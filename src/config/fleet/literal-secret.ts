import { mentions, replaceMentions } from '../interpolate.js';
import { SECRET_PARAMETER } from '../mask.js';
import { sampleAddress } from './sample-address.js';

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
  if (replaceMentions(text, ({ fallback }) => fallback ?? '').trim() === '') return null;
  if (secret === 'whole') return 'whole';
  const unclear = mentions(text).length > 0 ? 'hidden' : null;
  const sample = sampleAddress(text);
  if (sample === null) return unclear;
  const { password, pathname, hash, searchParams } = new URL(sample.address);
  const parameters = [...searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(name) ? value : []));
  const isLiteral = (value: string) => value.replaceAll(sample.stand, '') !== '';
  if ([password, ...parameters].some(isLiteral)) return 'password';
  // An @ so late: the password has a character that ends the host for a URL.
  return (pathname + hash).includes('@') ? unclear : null;
}
