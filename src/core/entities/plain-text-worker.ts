import { parentPort } from 'node:worker_threads';
import { plainText } from './plain-text.js';

/** The thread of conversion-thread.ts: says that it has a text, then what it became. */

parentPort?.on('message', (text: string) => {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(plainText(text));
});
