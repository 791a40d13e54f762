#!/usr/bin/env node
import './use-compile-cache.js';
import './name-this-runtime.js';
import { endProcess } from './end-process.js';
import { processIo } from './io.js';
import { warnOfLeft } from './output/report-error.js';
import { runCli } from './run-cli.js';
import { stopSignal } from './stop-signal.js';

const log = await runCli(process.argv.slice(2), processIo(stopSignal()));
// The exit code is set, and the process ends by itself unless something keeps it: see end-process.ts.
endProcess((left) => warnOfLeft(left, log));
