import { InvalidArgumentError } from 'commander';
import { isDay } from '../domain/report.js';

/** Parses an option's day. */
export function dayArgument(value: string): string {
  if (!isDay(value)) throw new InvalidArgumentError('It must be a day such as 2026-01-31.');
  return value;
}
