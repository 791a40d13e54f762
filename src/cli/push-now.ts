import type { RunContext } from '../sync/run-context.js';
import { runSync } from '../sync/run/run.js';
import { printRun } from './output/print-run.js';
import { say } from './output/write.js';

/** Sends what is pending, unless another process is sending. Gives the exit code. */
export async function pushNow(context: RunContext): Promise<number> {
  const report = await runSync(context, { trigger: 'manual', pushOnly: true });
  if (report.outcome === 'busy') {
    const { heldBy } = report.aside;
    say(heldBy && !heldBy.own ? `${heldBy.holder} is running and sends them.` : 'The next run sends them.');
    return 0;
  }
  await printRun(context, report, false);
  return report.exitCode;
}
