import { chownSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programFile } from './find-binaries.js';
import { runProgram, type ProgramRun } from './run-program.js';

/**
 * Makes the data folder `data` below `run.cwd` with the superuser `postgres`, UTF-8, and password logins only
 * (other users of this machine can reach a loopback port). Returns the folder. Throws an Error with what
 * initdb printed.
 */
export async function createCluster(binDir: string, password: string, run: ProgramRun): Promise<string> {
  const dataDir = path.join(run.cwd, 'data');
  const passwordFile = path.join(run.cwd, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (run.account) chownSync(passwordFile, run.account.uid, run.account.gid);
  try {
    let output = '';
    // Not every system has C.UTF-8 (macOS); plain C sorts the same and only knows less of upper and lower case.
    for (const locale of ['C.UTF-8', 'C']) {
      const args = ['-D', dataDir, '-U', 'postgres', '--encoding=UTF8', `--locale=${locale}`, '--no-sync'];
      const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
      const end = await runProgram(programFile(binDir, 'initdb'), [...args, ...auth], run);
      if (end.code === 0) return dataDir;
      output = end.output;
      rmSync(dataDir, { recursive: true, force: true });
    }
    throw new Error(`initdb in ${binDir} failed:\n${output}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
