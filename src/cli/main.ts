#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './compose/package-info.js';
import { processIo } from './io.js';
import { warnOfLeft } from './output/report-error.js';
import { runCli } from './run-cli.js';

/*
 * The process: it prepares Node for a quick start, runs the command line, and sees to it that the process ends. Until the
 * command is known, few files are loaded: create-program.ts loads those of the command.
 */

/** From Node 22.1 on; absent before. */
type Cached = typeof module & { enableCompileCache?(folder: string): unknown };

/**
 * Keeps what V8 compiled for the next start. The folder lies beside the code, not in the shared temporary folder that
 * Node would use: Node executes its content, so only a user who may change the code may write there. If the folder cannot
 * be written (a container with a read-only root), Node goes on without it.
 */
(module as Cached).enableCompileCache?.(join(PACKAGE_ROOT, 'node_modules', '.cache', 'placement-sync'));

/** Before Node 21 absent. */
interface WithNavigator {
  navigator?: { readonly userAgent: string };
}

/**
 * What Node has from version 21 on. pg looks for it to find out where it runs; without it, pg makes a Response, for which
 * Node loads its whole HTTP client: 45 ms of a `run` with nothing to do (`node --cpu-prof`, Node 20).
 */
(globalThis as WithNavigator).navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };

/**
 * How long a process may live after its work, milliseconds. A request to cancel a statement has five seconds:
 * PgBouncer must not lose it.
 */
const GRACE_MS = 6_000;

const log = await runCli(process.argv.slice(2), processIo(stopSignal()));
// The exit code is set, and the process ends by itself unless something keeps it.
endProcess((left) => warnOfLeft(left, log));

/**
 * Aborts at the first SIGINT or SIGTERM, so that running work can finish. The second one ends the process at once.
 */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
}

/**
 * Ends the process, with its exit code, when its command left something open that keeps it alive: a CronJob that
 * forbids a second run would stand still. `report` gets what was left, counted by Node's names. Output on its way to a
 * pipe is awaited first, because an end by force would lose it.
 */
function endProcess(report: (left: string) => void): void {
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
