/**
 * How long a process may live after its work, milliseconds. A request to cancel a statement has five seconds:
 * PgBouncer must not lose it.
 */
const GRACE_MS = 6_000;

/**
 * Ends the process, with its exit code, when its command left something open that keeps it alive: a CronJob that
 * forbids a second run would stand still. `report` gets what was left, counted by Node's names. Output on its way to a
 * pipe is awaited first, because an end by force would lose it.
 */
export function endProcess(report: (left: string) => void): void {
  const streams = [process.stdout, process.stderr];
  void Promise.all(streams.map(drained)).then(() => {
    setTimeout(() => {
      report(leftOpen());
      void Promise.all(streams.map(drained)).then(() => process.exit());
    }, GRACE_MS).unref();
  });
}

/** Settles when all output has left, or never can. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => void stream.write('', () => resolve()));
}

function leftOpen(): string {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
