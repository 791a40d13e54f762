import { spawn } from 'node:child_process';
import type { ServerAccount } from './server-account.js';

export interface ProgramRun {
  readonly cwd: string;
  readonly account: ServerAccount | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Exit code (null: not started, or ended by a signal) and all the program printed. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end as the server's user. Never rejects. */
export async function runProgram(
  file: string,
  args: readonly string[],
  run: ProgramRun,
): Promise<ProgramEnd> {
  return await new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      cwd: run.cwd,
      env: programEnv(run.env),
      ...run.account,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => {
      resolve({ code: null, output: error.message });
    });
    child.on('close', (code) => {
      resolve({ code, output: output.trim() });
    });
  });
}

/** The caller's environment without variables that change Postgres (`PGDATA`, `PGPORT`, …) or its language. */
export function programEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('PG'),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}
