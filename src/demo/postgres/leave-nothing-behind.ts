import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { platform } from 'node:process';

/** Removes the guards; call it when the folder is gone. */
export type Release = () => void;

/**
 * Makes sure that the server of a work folder, and the folder itself, do not outlive this process:
 * - at an ordinary exit, also after an uncaught error, both are removed before the process is gone;
 * - after an unhandled signal or a kill, no code of ours runs. Therefore a small shell waits for the end of
 *   its standard input, which the system closes with this process, and then removes both.
 */
export function leaveNothingBehind(workFolder: string): Release {
  const onExit = () => {
    removeNow(workFolder);
  };
  process.on('exit', onExit);
  const releaseGuard = platform === 'win32' ? () => undefined : startGuard(workFolder);
  return () => {
    process.off('exit', onExit);
    releaseGuard();
  };
}

const pidFileOf = (workFolder: string) => path.join(workFolder, 'data', 'postmaster.pid');

/** The event loop has ended: everything here has to happen synchronously. */
function removeNow(workFolder: string): void {
  const pidFile = pidFileOf(workFolder);
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    signal(pid, 'SIGQUIT');
    // The server removes the file as its last act. Checking the process does not work: it stays a zombie.
    for (let waitedMs = 0; existsSync(pidFile) && waitedMs < 5000; waitedMs += 10) sleepSync(10);
    if (existsSync(pidFile)) signal(pid, 'SIGKILL');
  }
  rmSync(workFolder, { recursive: true, force: true, maxRetries: 5 });
}

function signal(pid: number, name: 'SIGQUIT' | 'SIGKILL'): void {
  try {
    if (Number.isInteger(pid) && pid > 1) process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const GUARD_SCRIPT = `
  read -r _
  pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
  tries=0
  while [ -e "$1/data/postmaster.pid" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
  rm -rf "$1"
`;

function startGuard(workFolder: string): Release {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'placement-sync-guard', workFolder], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell only the handler of the ordinary exit remains.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => {
    guard.stdin.end();
  };
}
