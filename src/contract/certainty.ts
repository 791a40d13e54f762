import type { z } from 'zod';

/**
 * How sure a fact is. `specified`: stated in the service interface. `documented`: on the operator's public
 * pages. `assumed`: by analogy with what is stated.
 */
export type Certainty = 'specified' | 'documented' | 'assumed';

/** The words that readers outside the code see. */
export const CERTAINTY_WORDS: Readonly<Record<Certainty, string>> = {
  specified: 'specified',
  documented: 'publicly-documented',
  assumed: 'assumed',
};

/** Name of the certainty in JSON schemas and in OpenAPI. */
export const CERTAINTY_KEY = 'x-mark';

/**
 * The same schema with its own certainty, for a field that is less or more sure than the body it stands in.
 * Validation does not change; the OpenAPI document and docs/coverage.md read it.
 */
export function withCertainty<T extends z.ZodType>(schema: T, certainty: Certainty): T {
  return schema.meta({ ...schema.meta(), [CERTAINTY_KEY]: CERTAINTY_WORDS[certainty] });
}

/** The least sure of several certainties. */
export function weakest(certainties: readonly Certainty[]): Certainty {
  if (certainties.includes('assumed')) return 'assumed';
  return certainties.includes('documented') ? 'documented' : 'specified';
}
