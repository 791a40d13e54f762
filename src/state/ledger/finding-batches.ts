import type { EntityName } from '../../domain/names.js';
import type { Fence } from '../../ports/leases.js';
import type { Statements } from '../database/state-database.js';
import { fenceParameters } from '../lease/held-lease.js';
import { OWN_FINDINGS } from './own-findings.js';

/** Findings in one transaction. Small, so that claims never wait. */
const BATCH_SIZE = 1_000;

/** Sequence numbers of findings, both included. */
export interface Batch {
  readonly first: number;
  readonly last: number;
}

/** Everything that is staged, in batches; some have fewer findings, because numbers are left out where a statement failed. */
export async function findingBatches(
  database: Statements,
  entity: EntityName,
  fence: Fence,
): Promise<IterableIterator<Batch>> {
  const [staged] = await database.query<{ first: string | null; last: string | null }>(
    `select cast(min(seq) as text) as first, cast(max(seq) as text) as last from :schema:.staged_finding where ${OWN_FINDINGS}`,
    { entity, ...fenceParameters(fence) },
  );
  return inBatches(Number(staged?.first ?? 1), Number(staged?.last ?? 0));
}

function* inBatches(first: number, last: number): IterableIterator<Batch> {
  for (let from = first; from <= last; from += BATCH_SIZE)
    yield { first: from, last: Math.min(last, from + BATCH_SIZE - 1) };
}
