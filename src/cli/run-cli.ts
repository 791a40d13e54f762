import { createProgram } from './create-program.js';
import { withIo, type Io } from './io.js';
import { reportError, unwritable } from './output/report-error.js';
import type { Emit } from '../domain/events.js';

/** Runs one command line; gives the log of a command whose standard error is JSON. Its exit code goes to `io`. */
export async function runCli(words: readonly string[], io: Io): Promise<Emit | undefined> {
  return await withIo(io, async () => {
    // A reader that has seen enough (`| head -1`) is no reason to fail: the work goes on, unheard. Neither is a log that
    // cannot be written; but a result that got lost is reported, once.
    let lost = false;
    io.stderr.on('error', () => undefined);
    io.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || lost) return;
      lost = true;
      io.setExitCode(reportError(unwritable(error)));
    });
    const { exitCode, log } = await createProgram(words, io).catch((error: unknown) => ({
      exitCode: reportError(error),
      log: undefined,
    }));
    io.setExitCode(lost ? 1 : exitCode);
    return log;
  });
}
