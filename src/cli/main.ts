#!/usr/bin/env node
import './keep-heap-small.js';
import { createProgram } from './create-program.js';
import { reportError } from './output/report-error.js';
import { stopSignal } from './stop-signal.js';

// A reader that has seen enough (`| head -1`) is no reason to fail: the work goes on, unheard.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// The exit code is set, never forced: lines on their way to a pipe would be lost.
process.exitCode = await createProgram(stopSignal()).catch(reportError);
