import { SyncError } from '../../domain/errors.js';
import { withoutAddressDigests } from '../../entities/record-name.js';
import type { Fence } from '../../ports/leases.js';
import type { SourceReader } from '../../ports/source.js';
import type { Displaced, Staging } from '../../ports/staging.js';
import type { EntityPlan } from '../entity-plan.js';

/**
 * Two keys of one platform id are one record that is returned twice, unless one of them is the other's former
 * spelling, which the source no longer has. Where leaving the source means nothing (`onVanished: ignore`), no finding
 * says so, and the source is asked for its keys; that costs a pass, and happens only when keys were written anew.
 * Everything of the sweep must be staged. Errors: SyncError `duplicate-key` of scope `entity`, with both keys.
 */
export async function refuseDuplicates(
  staging: Pick<Staging, 'doubled' | 'displaced'>,
  fence: Fence,
  plan: EntityPlan,
  reader: Pick<SourceReader, 'versions'>,
  idsMayDiffer: boolean,
): Promise<void> {
  const entity = plan.entity.name;
  const [doubled] = await staging.doubled(fence, entity, idsMayDiffer);
  if (doubled) throw duplicate(plan, doubled);
  const displaced = await staging.displaced(fence, entity, idsMayDiffer);
  const [first] = displaced;
  if (!first) return;
  if (plan.onVanished !== 'ignore') throw duplicate(plan, first);
  const byOldKey = new Map(displaced.map((pair) => [pair.from, pair]));
  for await (const page of reader.versions(null)) {
    for (const { key } of page) {
      const pair = byOldKey.get(key);
      if (pair) throw duplicate(plan, pair);
    }
  }
}

function duplicate({ entity, queryFile }: EntityPlan, { from, to, platformId }: Displaced): SyncError {
  return new SyncError(
    'duplicate-key',
    withoutAddressDigests(
      entity.name,
      `${queryFile}: the keys "${from}" and "${to}" of ${entity.name} have the same platform id ${platformId}.`,
    ),
    { scope: 'entity', hint: 'UUIDs that differ only in case are one key: return each record once.' },
  );
}
