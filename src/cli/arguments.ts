import { Argument, InvalidArgumentError, Option } from 'commander';
import { DURATION_FORM, parseDuration } from '../core/config/duration.js';
import { usageError } from '../core/domain/errors.js';
import { readReason } from '../features/actions/asked-action.js';
import { isDay } from '../features/report/report.js';
import { ENTITY_NAMES } from '../core/entities/registry.js';
import { LISTED } from './output/write.js';

/* What options and arguments of several commands have in common. A parser gets the text of the command line. */

export function dayArgument(value: string): string {
  if (!isDay(value)) throw new InvalidArgumentError('It must be a day such as 2026-01-31.');
  return value;
}

export function durationArgument(value: string): number {
  const ms = parseDuration(value);
  if (ms === null) throw new InvalidArgumentError(`It must be ${DURATION_FORM}.`);
  return ms;
}

export function wholeNumberArgument(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}

/**
 * Codes that may end a run well for a scheduler. Of 1 and 2 nothing may have been done, and only the exit code says so.
 */
const ALLOWED: readonly number[] = [3, 4, 5, 6];

/** Parses `3,6`: exit codes of a run that end the process with 0. */
export function successCodesArgument(value: string): readonly number[] {
  const codes = value.split(',').map((part) => part.trim());
  const wrong = codes.filter((code) => !ALLOWED.map(String).includes(code));
  if (wrong.length > 0) {
    const named = wrong.map((code) => `"${code}"`).join(', ');
    throw new InvalidArgumentError(
      `Expected exit codes among ${ALLOWED.join(', ')}, separated by commas, as 3,6. Not allowed: ${named}.`,
    );
  }
  return codes.map(Number);
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function entityOption(): Option {
  return new Option('-e, --entity <name>', 'only this entity; may be repeated')
    .argParser(collect)
    .default([], 'all configured ones');
}

/** Of a list. */
export function limitOption(): Option {
  const description = `list at most this many (default: ${LISTED}; with --json: all)`;
  return new Option('--limit <n>', description).argParser(wholeNumberArgument);
}

export function reasonOption(): Option {
  return new Option('--reason <text>', 'why you do it; placement-sync actions shows it').argParser((text) => {
    const reason = readReason(text);
    if (reason === null) throw new InvalidArgumentError('It must be a sentence of at most 500 characters.');
    return reason;
  });
}

export function entityArgument(): Argument {
  return new Argument('<entity>', `one of ${ENTITY_NAMES.join(', ')}`);
}

/**
 * A path as the worker sends it: it begins with the base address's own path, is encoded as sent, and has no query.
 * Errors: SyncError `usage` for a path that does not begin with "/".
 */
export function requestTarget(baseUrl: string, path: string): string {
  if (!path.startsWith('/')) {
    throw usageError(
      'The path must begin with "/".',
      'Leave out the host: /api/v1/employers/{id}/company. The worker puts the path of the base address before it.',
    );
  }
  const base = new URL(baseUrl);
  const [target = ''] = path.split(/[?#]/, 1);
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${target}`).pathname;
}
