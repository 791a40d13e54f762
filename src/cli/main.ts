#!/usr/bin/env node
import { createProgram } from './create-program.js';
import { reportError } from './output/report-error.js';
import { stopSignal } from './stop-signal.js';

// The exit code is set, never forced: lines on their way to a pipe would be lost.
process.exitCode = await createProgram(stopSignal()).catch(reportError);
