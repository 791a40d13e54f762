import type { Emit } from '../core/domain/events.js';
import { createProgram } from './create-program.js';
import { type Io, withIo } from './io.js';
import { reportError, unwritable } from './output/report-error.js';

/** Runs one command line. Gives the log of a command whose standard error is JSON; the exit code goes to `io`. */
export async function runCli(words: readonly string[], io: Io): Promise<Emit | undefined> {
  return await withIo(io, async () => {
    // The work goes on when the reader has seen enough (`| head -1`) or the log cannot be written. A lost result is
    // reported, once.
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
