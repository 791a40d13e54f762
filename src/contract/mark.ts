import type { z } from 'zod';

/**
 * How sure a fact is. `specified`: stated in the service interface. `documented`: on the operator's public
 * pages. `assumed`: by analogy with what is stated.
 */
export type Mark = 'specified' | 'documented' | 'assumed';

/** The words that readers outside the code see. */
export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  specified: 'specified',
  documented: 'publicly-documented',
  assumed: 'assumed',
};

/** Name of the mark in JSON schemas and in OpenAPI. */
export const MARK_KEY = 'x-mark';

/**
 * The same schema with its own mark, for a field that is less or more sure than the body it stands in. It
 * changes nothing in what is valid; the OpenAPI document and docs/coverage.md read it.
 */
export function marked<T extends z.ZodType>(schema: T, mark: Mark): T {
  return schema.meta({ ...schema.meta(), [MARK_KEY]: MARK_WORDS[mark] });
}

/** The least sure of several marks. */
export function weakest(marks: readonly Mark[]): Mark {
  if (marks.includes('assumed')) return 'assumed';
  return marks.includes('documented') ? 'documented' : 'specified';
}
