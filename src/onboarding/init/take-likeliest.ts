import type { CatalogTable } from '../catalog/catalog.js';
import type { Candidate } from './candidate.js';

/** The table that an entity gets when nobody is asked: the likeliest, unless another entity takes that. */
export function takeLikeliest(candidates: readonly Candidate[]): CatalogTable | undefined {
  const [first] = candidates;
  return first?.taken === null ? first.table : undefined;
}
