import type { Options } from '../options.js';

/** Numbers of records at which growth is looked at. Pure. */
export function sizes({ rows, quick }: Pick<Options, 'rows' | 'quick'>): readonly number[] {
  return [...(quick ? [] : [10_000, 100_000].filter((size) => size < rows)), rows];
}
