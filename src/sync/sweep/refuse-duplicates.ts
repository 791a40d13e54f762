import { SyncError } from '../../domain/errors.js';
import { withoutAddressDigests } from '../../entities/index.js';
import type { Fence } from '../../ports/leases.js';
import type { SourceReader } from '../../ports/source.js';
import type { Displaced, Staging } from '../../ports/staging.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/**
 * Two keys with one platform id are one record returned twice, unless one key is the former spelling, which the source
 * no longer has. Under `onVanished: ignore` no finding shows that, so the source is asked for its keys; that costs a
 * pass, and happens only when the spelling of keys changed.
 * Everything of the sweep must be staged. Errors: SyncError `duplicate-key` of scope `entity`, with both keys.
 */
export async function refuseDuplicates(
  staging: Pick<Staging, 'doubled' | 'displaced'>,
  fence: Fence,
  entity: ConfiguredEntity,
  reader: Pick<SourceReader, 'versions'>,
  idsMayDiffer: boolean,
): Promise<void> {
  const [doubled] = await staging.doubled(fence, entity.name, idsMayDiffer);
  if (doubled) throw duplicate(entity, doubled);
  const displaced = await staging.displaced(fence, entity.name, idsMayDiffer);
  const [first] = displaced;
  if (!first) return;
  if (entity.onVanished !== 'ignore') throw duplicate(entity, first);
  const byOldKey = new Map(displaced.map((pair) => [pair.from, pair]));
  for await (const page of reader.versions(null)) {
    for (const { key } of page) {
      const pair = byOldKey.get(key);
      if (pair) throw duplicate(entity, pair);
    }
  }
}

function duplicate(
  { query: { entity, file } }: ConfiguredEntity,
  { from, to, platformId }: Displaced,
): SyncError {
  return new SyncError(
    'duplicate-key',
    withoutAddressDigests(
      entity,
      `${file}: the keys "${from}" and "${to}" of ${entity} have the same platform id ${platformId}.`,
    ),
    { scope: 'entity', hint: 'UUIDs that differ only in case are one key: return each record once.' },
  );
}
