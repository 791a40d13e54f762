import { checkEnvironment } from '../environment/check-environment.js';
import { requestSweep } from './request-sweep.js';
import { beginSettlement, outlastDoubt } from '../read-back/settle-doubt.js';
import { runSync } from './run-sync.js';
import type { RunContext } from '../run-context.js';
import { timeoutOf } from '../run-settings.js';
import type { RunReport } from './run-report.js';
import { withWork } from './with-work.js';

/**
 * Sends everything (or these keys) again, links kept, after a sweep that reads it in full. While another process
 * holds the leases it only marks the records, asks for the full sweep now, and leaves both to that process. `named`: the
 * entities were asked for by name; otherwise what is not known to be repeatable (application statuses) is left alone.
 */
export async function resync(
  context: RunContext,
  keys: readonly string[] | null,
  named: boolean,
): Promise<RunReport> {
  const { state, emit, settings, entities } = context;
  await checkEnvironment(context);
  const mark = async () => {
    for (const { name } of entities.filter(({ repeatable }) => named || repeatable)) {
      const doubt = keys === null ? await beginSettlement(context, name) : null;
      const marked = await withWork(emit, `Marking ${name}`, () =>
        state.resendRequests.resync(name, keys, timeoutOf(settings, name)),
      );
      await doubt?.finish();
      if (keys === null) await state.entityStates.requestFullSweep(name);
      else if (marked < keys.length) {
        emit({
          type: 'warning',
          message: `${name}: ${marked} of ${keys.length} keys are records that can be sent again; the others are unknown to the ledger, invalid or vanished.`,
        });
      }
    }
  };
  const prepare = async () => {
    if (keys === null) await outlastDoubt(context);
    await mark();
  };
  const report = await runSync(context, { trigger: 'manual', prepare });
  if (report.outcome !== 'busy') return report;
  await mark();
  // Its own schedule may be a nightly one.
  await requestSweep(state);
  emit({
    type: 'warning',
    message: 'The records are marked; the process that holds the leases reads and sends them.',
  });
  return { ...report, exitCode: 0 };
}
