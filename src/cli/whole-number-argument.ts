import { InvalidArgumentError } from 'commander';

/** Parses an option's whole number, 0 or more. */
export function wholeNumberArgument(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}
