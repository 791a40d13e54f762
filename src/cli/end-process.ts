/**
 * How long after its work a process may live on, milliseconds. A request to cancel a statement is given five seconds:
 * PgBouncer must not lose it.
 */
const GRACE_MS = 6_000;

/**
 * Ends the process, with its exit code, when something that its command left open would keep it alive: a CronJob that
 * forbids a second run would stand still. Where nothing does, it has ended before. `report` gets how many of what was
 * left (names of Node). What is on its way to a pipe is waited for, because an end by force would lose it.
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

/** Settles when all that was written has left, or never can. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => void stream.write('', () => resolve()));
}

function leftOpen(): string {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
