import type { RunContext } from '../sync/run-context.js';
import { runSync } from '../sync/run/run-sync.js';
import { printRun } from './output/print-run.js';
import { tell } from './output/write.js';

/** Sends what is pending, unless another process is sending already; gives the exit code. */
export async function pushNow(context: RunContext): Promise<number> {
  const report = await runSync(context, { trigger: 'manual', pushOnly: true });
  if (report.outcome === 'busy') {
    tell('Another run is under way; it sends them.');
    return 0;
  }
  await printRun(context.state, report, false);
  return report.exitCode;
}
