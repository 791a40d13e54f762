import { replaceMentions } from '../interpolate.js';

/** An address with something in place of its references. */
export interface SampleAddress {
  readonly address: string;
  /** What stands for a value that is not known here; the text has it nowhere else. */
  readonly stand: string;
}

/**
 * Puts defaults, and else a sample, in place of the references in an address. Pure.
 *
 * @returns null when no sample makes it an address
 */
export function sampleAddress(text: string): SampleAddress | null {
  const number = unusedNumber(text);
  // A number fits where a port stands, a word where a host does.
  for (const stand of [number, `n${number}`]) {
    const address = replaceMentions(text, ({ fallback }) => (fallback ?? '') || stand);
    if (URL.canParse(address)) return { address, stand };
  }
  return null;
}

function unusedNumber(text: string): string {
  let number = 10_000;
  while (text.includes(String(number))) number += 1;
  return String(number);
}
