import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnv, programFile, type ProgramRun } from './binaries.js';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
}

const PORT_ATTEMPTS = 5;
const START_TIMEOUT_MS = 60_000;

/**
 * Starts the server on a free port of 127.0.0.1 and waits until it accepts connections. It is detached, in a
 * process group of its own: a Ctrl-C at the terminal reaches the caller, and the caller decides when the
 * server goes. Throws an Error with the end of the server's log.
 */
export async function startServerProcess(
  binDir: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  run: ProgramRun,
): Promise<ServerProcess> {
  const logFile = path.join(run.cwd, 'server.log');
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const child = launch(binDir, dataDir, { ...settings, port: String(port) }, logFile, run);
    const failure = await waitUntilReady(child, dataDir);
    if (failure === null && child.pid !== undefined) return { child, pid: child.pid, port };
    const log = existsSync(logFile)
      ? readFileSync(logFile, 'utf8').trim().split('\n').slice(-15).join('\n')
      : '';
    // Another process may have taken the port before the server started.
    if (/could not bind|address already in use/i.test(log) && attempt < PORT_ATTEMPTS) continue;
    throw new Error(`Postgres in ${binDir} did not start: ${failure ?? 'no process'}\n${log}`);
  }
}

function launch(
  binDir: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  logFile: string,
  run: ProgramRun,
): ChildProcess {
  const log = openSync(logFile, 'w', 0o600);
  try {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(programFile(binDir, 'postgres'), ['-D', dataDir, ...args], {
      cwd: run.cwd,
      env: programEnv(run.env),
      ...run.account,
      stdio: ['ignore', log, log],
      detached: true,
      windowsHide: true,
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Null when ready, else what happened. The last line of postmaster.pid is what `pg_ctl start -w` watches too. */
async function waitUntilReady(child: ChildProcess, dataDir: string): Promise<string | null> {
  let failure: string | null = null;
  child.on('error', (error) => (failure ??= error.message));
  child.on('exit', (code, signal) => (failure ??= `ended with ${String(signal ?? code)}`));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (failure === null && !isReady(path.join(dataDir, 'postmaster.pid'))) {
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      return `not ready after ${String(START_TIMEOUT_MS / 1000)} s`;
    }
    await sleep(20);
  }
  return failure;
}

function isReady(pidFile: string): boolean {
  try {
    return readFileSync(pidFile, 'utf8').trimEnd().split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
