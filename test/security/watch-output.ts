import { afterAll, expect } from 'vitest';
import { secretsIn } from './planted.js';

/** Of every test file: whatever it prints in its own process is searched for planted secrets. */
const found: string[] = [];

const search = (part: unknown): void => {
  const text = part instanceof Uint8Array ? Buffer.from(part).toString('utf8') : String(part);
  found.push(...secretsIn(text));
};

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    search(args[0]);
    return write(...args);
  };
}
/* eslint-disable no-console -- what tests print by it is what is searched */
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  const print = console[method].bind(console) as (...args: unknown[]) => void;
  console[method] = (...args: unknown[]) => {
    args.forEach(search);
    print(...args);
  };
}

afterAll(() => expect(found, 'secrets in what was printed').toEqual([]));
