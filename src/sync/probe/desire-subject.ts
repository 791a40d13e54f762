import { SyncError } from '../../domain/errors.js';
import type { State } from '../../ports/state.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { ProbeSubject } from './probe-subject.js';

/**
 * Publishes one record as a sweep would, so that the ledger knows of it before the platform does: whatever happens
 * afterwards, the next run finds it. The sweep lease must be held. Errors: SyncError `usage` when the ledger has the
 * record under another key; `lease-lost`.
 */
export async function desireSubject(
  { staging }: Pick<State, 'staging'>,
  lease: Pick<HeldLease, 'fenced'>,
  { entity, key, platformId, parentPlatformId, rowVersion, payload, hash }: ProbeSubject,
): Promise<void> {
  const finding = {
    kind: 'changed',
    ...{ key, platformId, parentPlatformId, rowVersion },
    ...{ desiredHash: hash, desiredPayload: payload, invalidReason: null, noted: null },
  } as const;
  await lease.fenced(async (fence) => {
    await staging.clear(fence);
    await staging.stage(fence, entity.name, [finding]);
    const [displaced] = await staging.displaced(fence, entity.name, true);
    if (displaced) {
      await staging.clear(fence);
      throw new SyncError(
        'usage',
        `The ledger has ${entity.noun.one} "${displaced.to}" as "${displaced.from}": its key has changed.`,
        { scope: 'usage', hint: 'Let a run take the new key over first: placement-sync run' },
      );
    }
    // Nobody's signal: it is one short transaction.
    const { signal } = new AbortController();
    await staging.publish(fence, entity.name, { renamings: [], expected: 1, stamp: null, signal });
    await staging.clear(fence);
  });
}
