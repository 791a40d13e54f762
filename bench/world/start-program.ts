import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from './tool.js';

export interface Program {
  readonly pid: number;
  /** Gives the next line of the log that fits, of those that came since the last call. Throws an Error after five minutes. */
  line(pattern: RegExp): Promise<string>;
  /** Ends it. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const PATIENCE_MS = 300_000;

export interface ProgramOptions {
  readonly config: string;
  /** Beside that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each line of the log. */
  readonly onLine?: (text: string) => void;
}

/** Runs a command of the built program that lasts. */
export function startProgram(
  words: readonly string[],
  { config, env = {}, onLine }: ProgramOptions,
): Program {
  const child = spawn(process.execPath, [MAIN, ...words, '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const end = () => void child.kill('SIGKILL');
  process.on('exit', end);
  const exited = once(child, 'exit');
  const lines: string[] = [];
  let arrived = (): void => undefined;
  createInterface({ input: child.stderr }).on('line', (text) => {
    onLine?.(text);
    lines.push(text);
    arrived();
  });
  return {
    pid: child.pid ?? NaN,
    async line(pattern) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        for (let text = lines.shift(); text !== undefined; text = lines.shift())
          if (pattern.test(text)) return text;
        if (performance.now() > deadline) throw new Error(`The log has no line like ${String(pattern)}.`);
        await Promise.race([
          new Promise<void>((resolve) => (arrived = resolve)),
          new Promise((resolve) => setTimeout(resolve, 1_000)),
        ]);
      }
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
      process.off('exit', end);
    },
  };
}
