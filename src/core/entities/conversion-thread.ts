import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Reading } from './values.js';

/**
 * A thread that converts one text after the other (plain-text-worker.ts), so that no text stops the leases, probes and
 * requests of this one. It begins with the first text, and ends when one takes too long, or when none came for a while.
 */

/** For one text. A usual one of two million characters takes a second. */
const LIMIT_MS = 5_000;

/** Until the thread has the text: to load its code may take seconds on a busy machine. */
const START_MS = 60_000;

/** Memory of the thread; a text that needs more is given up. */
const LIMIT_MB = 256;

const IDLE_MS = 10_000;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
/** Settles when the text before is done. */
let before: Promise<unknown> = Promise.resolve();

/** The text as plain text, as `plainText` gives it; null: it takes too long, or too much memory. */
export function convertInThread(text: string): Promise<Reading<string> | null> {
  const converted = before.then(() => convert(text));
  before = converted;
  return converted;
}

async function convert(text: string): Promise<Reading<string> | null> {
  clearTimeout(idle);
  const worker = (thread ??= start());
  worker.ref();
  const converted = await answerOf(worker, text);
  worker.unref();
  if (converted === null) end(worker);
  else idle = setTimeout(() => end(worker), IDLE_MS).unref();
  return converted;
}

function answerOf(worker: Worker, text: string): Promise<Reading<string> | null> {
  return new Promise((resolve) => {
    const settle = (converted: Reading<string> | null) => {
      clearTimeout(timer);
      // By name: without one, Node 24 also takes off what it listens with itself, and no message arrives any more.
      for (const name of ['message', 'error', 'exit']) worker.removeAllListeners(name);
      // Of a thread that ends while it has no text.
      worker.on('error', () => end(worker));
      resolve(converted);
    };
    let timer = setTimeout(settle, START_MS, null);
    worker.on('message', (message: Reading<string> | 'begun') => {
      if (message !== 'begun') return settle(message);
      clearTimeout(timer);
      timer = setTimeout(settle, LIMIT_MS, null);
    });
    worker.on('error', () => settle(null));
    worker.on('exit', () => settle(null));
    worker.postMessage(text);
  });
}

function end(worker: Worker): void {
  if (thread === worker) thread = null;
  void worker.terminate();
}

function start(): Worker {
  // Built, it stands beside the file that this one became a part of; else Node needs a loader for it.
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(`./plain-text-worker.${isSource ? 'ts' : 'js'}`, import.meta.url);
  const loader = (): string[] => [
    '--import',
    pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
  ];
  return new Worker(file, {
    execArgv: isSource ? loader() : [],
    resourceLimits: { maxOldGenerationSizeMb: LIMIT_MB },
  });
}
