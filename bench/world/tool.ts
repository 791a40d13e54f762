import { fileURLToPath } from 'node:url';
import { childrenCpuTime } from '../measure/cpu-time.js';
import { runProcess, type ProcessOptions, type ProcessRun } from '../measure/run-process.js';

/** The built program. */
export const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface ToolRun extends ProcessRun {
  /** Of Postgres, for both databases, seconds. */
  readonly postgresCpu: number;
}

export interface ToolOptions extends Pick<ProcessOptions, 'onStart' | 'env'> {
  readonly config: string;
  /** Its pid. */
  readonly postgres: number;
  /** Exit codes that are all right. Default: 0. */
  readonly expect?: readonly number[];
  /** Seconds. Default: half an hour. */
  readonly patience?: number;
}

/** Runs a command of the built program. Throws an Error with the end of its output at another exit code. */
export async function runTool(words: readonly string[], options: ToolOptions): Promise<ToolRun> {
  const { config, postgres, expect = [0], patience = 1_800, onStart, env = {} } = options;
  const before = childrenCpuTime(postgres);
  const run = await runProcess([MAIN, ...words, '--config', config], { patience, onStart, env });
  const postgresCpu = childrenCpuTime(postgres) - before;
  if (run.exitCode === null || !expect.includes(run.exitCode)) {
    const end = run.stderr.slice(-8).map(({ text }) => text);
    throw new Error(
      `${words.join(' ')} ended with ${run.exitCode}:\n${end.join('\n')}\n${run.stdout.slice(-500)}`,
    );
  }
  return { ...run, postgresCpu };
}
