import { fileURLToPath } from 'node:url';
import { runProcess } from '../measure/run-process.js';
import type { SyncByHand } from './sync-by-hand.js';

export interface RunByHand {
  /** Of its work, without the start of the process. */
  readonly seconds: number;
  readonly memory: number;
}

/** One sync without a tool, in a process of its own. */
export async function runByHand(argument: SyncByHand): Promise<RunByHand> {
  const file = fileURLToPath(new URL('sync-by-hand.ts', import.meta.url));
  const { exitCode, stdout, stderr, memory } = await runProcess(
    ['--import', 'tsx', file, JSON.stringify(argument)],
    { patience: 1_800 },
  );
  if (exitCode !== 0) throw new Error(stderr.map(({ text }) => text).join('\n'));
  return { seconds: Number(stdout), memory };
}
