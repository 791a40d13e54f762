#!/usr/bin/env node
import './use-compile-cache.js';
import { createProgram } from './create-program.js';
import { endProcess } from './end-process.js';
import { reportError, unwritable, warnOfLeft } from './output/report-error.js';
import { stopSignal } from './stop-signal.js';

// A reader that has seen enough (`| head -1`) is no reason to fail: the work goes on, unheard. Neither is a log that
// cannot be written; but a result that got lost is told, once.
let lost = false;
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || lost) return;
  lost = true;
  process.exitCode = reportError(unwritable(error));
});

// The exit code is set and not forced, as long as nothing else keeps the process: see end-process.ts.
const { exitCode, log } = await createProgram(stopSignal()).catch((error: unknown) => ({
  exitCode: reportError(error),
  log: undefined,
}));
process.exitCode = lost ? 1 : exitCode;
endProcess((left) => warnOfLeft(left, log));
