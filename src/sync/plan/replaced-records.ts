import type { RecordStanding } from '../../ports/forecasts.js';

/** Records of the ledger of which a sweep found something else, by what they were: they count no longer as that. */
export interface ReplacedRecords {
  note(before: RecordStanding): void;
  pending(): number;
  rejected(): number;
  /** Of those that wait for this parent. */
  waitingFor(parentPlatformId: string): number;
}

export function createReplacedRecords(): ReplacedRecords {
  let pending = 0;
  let rejected = 0;
  const waiting = new Map<string, number>();
  return {
    note({ status, parentPlatformId }) {
      if (status === 'pending') pending += 1;
      if (status === 'rejected') rejected += 1;
      if (status === 'waiting' && parentPlatformId !== null)
        waiting.set(parentPlatformId, (waiting.get(parentPlatformId) ?? 0) + 1);
    },
    pending: () => pending,
    rejected: () => rejected,
    waitingFor: (parentPlatformId) => waiting.get(parentPlatformId) ?? 0,
  };
}
