import { InvalidArgumentError } from 'commander';
import { DURATION_FORM, parseDuration } from '../config/schema-walk.js';

/** Parses an option's duration; gives milliseconds. */
export function durationArgument(value: string): number {
  const ms = parseDuration(value);
  if (ms === null) throw new InvalidArgumentError(`It must be ${DURATION_FORM}.`);
  return ms;
}
