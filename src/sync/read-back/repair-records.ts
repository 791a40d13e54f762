import type { EntityName } from '../../domain/names.js';
import type { RunContext } from '../run-context.js';
import { timeoutOf } from '../run-settings.js';
import { QUIET_MS } from '../../runtime/quiet-ms.js';
import { runSync } from '../run/run-sync.js';
import { withWork } from '../run/with-work.js';

/** What differs in one entity. */
export interface Unequal {
  readonly entity: EntityName;
  readonly keys: readonly string[];
  /** Those that differ only in fields which their bodies leave out. */
  readonly leftOver: ReadonlySet<string>;
}

/** Keys in one statement. */
const BATCH_SIZE = 1_000;

/**
 * Requests that records are sent again, links kept, and sends them; if another process holds the leases, that process
 * sends. Gives how many are repaired (all that another process sends count), how the sending ended, and whether it was
 * done here.
 */
export async function repairRecords(
  context: RunContext,
  unequal: readonly Unequal[],
): Promise<{ readonly count: number; readonly exitCode: number; readonly sentHere: boolean }> {
  const { state, settings, emit, clock, signal } = context;
  const batches = unequal.flatMap(({ entity, keys }) =>
    batched(keys).map((batch) => ({ entity, keys: batch })),
  );
  await withWork(emit, 'Requesting resends', async () => {
    for (const { entity, keys } of batches)
      await state.resendRequests.resync(entity, keys, timeoutOf(settings, entity));
  });

  // After the last Find.
  await clock.sleep(QUIET_MS, signal);
  const run = await runSync(context, { trigger: 'manual', pushOnly: true });
  if (run.outcome === 'busy') {
    emit({
      type: 'warning',
      message: 'The process that holds the leases sends again what differs.',
    });
    return { count: unequal.reduce((sum, { keys }) => sum + keys.length, 0), exitCode: 0, sentHere: false };
  }
  let count = 0;
  for (const { entity, keys } of batches) count += await state.readBacks.countSettled(entity, keys);
  return { count, exitCode: run.exitCode, sentHere: true };
}

function batched(keys: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(keys.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, index) =>
    keys.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}
