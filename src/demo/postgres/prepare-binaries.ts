import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lchownSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { findBinaries, programFile, type BinariesCandidate, type BinariesSearch } from './find-binaries.js';
import { runProgram, type ProgramRun } from './run-program.js';
import type { ServerAccount } from './server-account.js';

/** Programs that run as the server's user. */
export interface Binaries {
  readonly binDir: string;
  readonly origin: string;
  /** As `postgres --version` says: `18.4`. */
  readonly version: string;
}

/**
 * Takes the first Postgres of this machine that runs as the server's user. The npm package may need help: its
 * library links are missing when npm ran no install scripts, and its folder may be closed to the server's
 * user. It is then copied into `run.cwd` and completed there; node_modules itself gets only the links.
 * Throws an Error that lists every place searched and why each folder failed.
 */
export async function prepareBinaries(search: BinariesSearch, run: ProgramRun): Promise<Binaries> {
  const found = findBinaries(search);
  const refusals: string[] = [];
  for (const candidate of found.candidates) {
    for (const attempt of attempts(candidate, run)) {
      try {
        const binDir = attempt();
        const { code, output } = await runProgram(programFile(binDir, 'postgres'), ['--version'], run);
        const version = /\d+(\.\d+)*/.exec(output)?.[0];
        if (code === 0 && version) return { binDir, origin: candidate.origin, version };
        refusals.push(`${binDir}: ${output.split('\n')[0] ?? ''}`);
      } catch (error) {
        refusals.push(`${candidate.binDir}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  throw new Error(
    [
      `No working Postgres was found on this machine. Searched: ${found.looked.join(', ')}.`,
      ...refusals.map((refusal) => `  failed: ${refusal}`),
      'Run `npm install` without --omit=optional, install Postgres, or set PG_BIN_DIR to the folder of initdb.',
    ].join('\n'),
  );
}

/** Ways to make a candidate usable, the cheapest first; each returns the folder of its programs. */
function attempts(candidate: BinariesCandidate, run: ProgramRun): (() => string)[] {
  const tree = candidate.packageTree;
  if (tree === null) return [() => candidate.binDir];
  return [
    () => {
      addMissingLinks(tree);
      return candidate.binDir;
    },
    () => {
      const staged = path.join(run.cwd, 'postgres');
      copyTree(tree, staged, run.account);
      return path.join(staged, 'bin');
    },
  ];
}

function copyTree(tree: string, target: string, account: ServerAccount | null): void {
  cpSync(tree, target, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  for (const name of readdirSync(path.join(target, 'bin'))) chmodSync(path.join(target, 'bin', name), 0o755);
  addMissingLinks(target);
  if (!account) return;
  // Under a strict umask only the owner may read the package, and the copy has the same rights.
  for (const name of ['.', ...readdirSync(target, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(path.join(target, name), account.uid, account.gid);
  }
}

/**
 * Makes the links that `native/pg-symlinks.json` lists as `{source, target}`, relative to the package. Tarballs
 * of npm hold no links; the package's own install script makes them, where scripts are allowed.
 */
function addMissingLinks(tree: string): void {
  const list = path.join(tree, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(tree, path.relative('native', target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // Another process was faster. Other errors go to the next attempt.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
