import type { EntityName } from '../../domain/names.js';
import type { Staging } from '../../ports/staging.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { ChangeSink } from './read-changes.js';

/** A sink whose last page may still be on its way. */
export interface StageSink extends ChangeSink {
  /** Everything taken is staged; gives how many findings. Rejects with what staging rejected with. */
  finish(): Promise<number>;
}

/** Stages findings while the next page is read and mapped; never more than one page ahead. */
export function createStageSink(
  staging: Staging,
  { fenced }: Pick<HeldLease, 'fenced'>,
  entity: EntityName,
): StageSink {
  let underWay: Promise<void> = Promise.resolve();
  let taken = 0;
  return {
    async take(changes) {
      if (changes.length === 0) return;
      await underWay;
      taken += changes.length;
      const findings = changes.map(({ finding }) => finding);
      underWay = fenced((fence) => staging.stage(fence, entity, findings));
      // The next await handles a rejection; no handler is attached until then.
      underWay.catch(() => undefined);
    },
    async restart() {
      await underWay;
      if (taken > 0) await fenced((fence) => staging.clear(fence));
      taken = 0;
    },
    async finish() {
      await underWay;
      await staging.complete(taken);
      return taken;
    },
  };
}
