import { expect } from 'vitest';
import type { RunningCli } from './run-cli.js';

/** The address that a worker says it listens at, once it does. */
export async function listening(
  worker: Pick<RunningCli, 'stderr'>,
  what: 'admin' | 'webhook',
): Promise<string> {
  const address = () => new RegExp(`Listening for ${what} at (http[^"\\s]+)`).exec(worker.stderr())?.[1];
  await expect.poll(address, { timeout: 60_000 }).toBeDefined();
  return address() ?? '';
}
