import type { LoadedConfig } from '../../config/load.js';
import type { Emit } from '../../domain/events.js';
import { longestGap } from '../../service/schedule.js';

/** Warns when the schedule's pause between sweeps is so long that entities are reported as stale with nothing wrong. */
export function warnRareSweeps({ settings }: LoadedConfig, emit: Emit): void {
  const { url, smtp, on, staleAfterMs } = settings.notify;
  if ((url === null && smtp === null) || !on.includes('stale')) return;
  const gap = longestGap(settings.schedule.sync, settings.schedule.timeZone);
  if (gap < staleAfterMs) return;
  const minutes = Math.ceil(gap / 60_000);
  emit({
    type: 'warning',
    message: `notify.staleAfter is no longer than the longest time between two sweeps of schedule.sync (${minutes} min), so entities are reported as stale although nothing is wrong.`,
    hint: `Set notify.staleAfter to more than that, such as ${2 * minutes}m.`,
  });
}
