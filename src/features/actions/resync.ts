import { batched } from '../../core/domain/group-by.js';
import type { CoreState } from '../../core/ledger/core-state.js';
import { checkEnvironment } from '../../core/run/environment.js';
import { withWork } from '../../core/leases.js';
import { beginSettlement, outlastDoubt } from '../../core/run/settle-doubt.js';
import { type RunContext, timeoutOf } from '../../core/context.js';
import type { RunResult } from '../../core/run/end.js';
import { runSync } from '../../core/run/run.js';

/** Keys in one statement. */
const BATCH_SIZE = 1_000;

/**
 * Sends everything (or these keys) again, links kept, after a sweep that reads it in full. While another process holds
 * the leases, it only stores the resend requests, asks for the full sweep now, and leaves both to that process.
 * `named`: the caller named the entities; if not, it leaves out what may not be repeatable (application statuses).
 */
export async function resync(
  context: RunContext,
  keys: readonly string[] | null,
  named: boolean,
): Promise<RunResult> {
  const { state, emit, settings, entities } = context;
  await checkEnvironment(context);
  const request = async () => {
    for (const { name } of entities.filter(({ repeatable }) => named || repeatable)) {
      const doubt = keys === null ? await beginSettlement(context, name) : null;
      const requested = await withWork(emit, `Requesting resends of ${name}`, async () => {
        let marked = 0;
        for (const batch of keys === null ? [null] : batched(keys, BATCH_SIZE))
          marked += await state.resendRequests.resync(name, batch, timeoutOf(settings, name));
        return marked;
      });
      await doubt?.finish();
      if (keys === null) await state.entityStates.requestFullSweep(name);
      else if (requested < keys.length) {
        emit({
          type: 'warning',
          message: `${name}: ${requested} of ${keys.length} keys can be sent again; the others are unknown to the ledger, invalid or vanished.`,
        });
      }
    }
  };
  const prepare = async () => {
    if (keys === null) await outlastDoubt(context);
    await request();
  };
  const report = await runSync(context, { trigger: 'manual', prepare });
  if (report.outcome !== 'busy') return report;
  await request();
  // That process may sweep only once a night.
  await requestSweep(state);
  emit({
    type: 'warning',
    message: 'Resend requested. The process that holds the leases reads and sends the records.',
  });
  return { ...report, exitCode: 0 };
}

/**
 * Asks for a sweep now. The process that holds the sweep lease begins it within a few seconds, with the trigger
 * `manual`; if a sweep is under way, another follows. While no process runs, the next one begins with it.
 */
export async function requestSweep({ schedules }: Pick<CoreState, 'schedules'>): Promise<void> {
  await schedules.setDueNow('sync');
}
