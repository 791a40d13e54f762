import { startProgram, type Program } from './start-program.js';

export type Worker = Program;

/** Runs `start` of the built program. */
export function startWorker(config: string): Worker {
  return startProgram(['start'], { config });
}
