import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { secretsIn } from '../security/planted.js';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface CliResult {
  /** Null: ended by a signal. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** The whole environment but PATH and TZ: nothing of the test's own leaks in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  /** What was printed so far. */
  stdout(): string;
  stderr(): string;
  readonly done: Promise<CliResult>;
}

/** Starts the built command line as a process of its own. Whatever it prints is searched for planted secrets. */
export function startCli(args: readonly string[], { env = {}, cwd = tmpdir() }: CliOptions = {}): RunningCli {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: npm run build makes it`);
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, TZ: process.env.TZ, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const done = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      const [found] = secretsIn(`${stdout}\n${stderr}`, env);
      if (found !== undefined)
        reject(new Error(`placement-sync ${args.join(' ')} printed a secret: ${found}`));
      else resolve({ exitCode, stdout, stderr });
    });
  });
  return { child, stdout: () => stdout, stderr: () => stderr, done };
}

/** Runs the built command line to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return await startCli(args, options).done;
}
