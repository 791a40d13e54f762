import { Argument, Option } from 'commander';
import { ENTITY_NAMES } from '../entities/registry.js';

/** For options that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** `--entity E`; may be repeated. */
export function entityOption(): Option {
  return new Option('-e, --entity <name>', 'only this entity; may be repeated')
    .argParser(collect)
    .default([], 'all configured ones');
}

/** `<entity>`, one that exists. */
export function entityArgument(): Argument {
  return new Argument('<entity>', `one of ${ENTITY_NAMES.join(', ')}`);
}
