import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

/*
 * `npm run build`: makes the program in dist, which knows the commit that it was built from.
 *
 * That is the one of this folder's repository. An archive of the sources and the build of an image have none: there the
 * variable COMMIT says it. Without either it is unknown.
 */

const SHOWN = 7;

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'main' },
    // A thread of its own, which is started from a part beside it.
    { in: 'src/core/entities/plain-text-worker.ts', out: 'parts/plain-text-worker' },
  ],
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  outdir: 'dist/src/cli',
  chunkNames: 'parts/[name]-[hash]',
  logLevel: 'warning',
  define: { BUILD_COMMIT: JSON.stringify(shorten(ownCommit() ?? process.env.COMMIT ?? '')) },
});
// Types alone are their own declaration: `placement-sync/adapter`.
copyFileSync('src/core/contract/adapter.ts', 'dist/adapter.d.ts');

/** `abc1234`, with `-dirty` when tracked files had changes; null: unknown. */
function shorten(commit: string): string | null {
  if (commit === '') return null;
  const [, hash = '', dirty = ''] = /^([0-9a-f]{7,64})(-dirty)?$/.exec(commit) ?? [];
  if (hash === '') throw new Error(`The variable COMMIT is not the hash of a commit: ${commit}`);
  return hash.slice(0, SHOWN) + dirty;
}

function ownCommit(): string | null {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // Not empty: the repository is of something around this folder.
    if (git('rev-parse', '--show-prefix') !== '') return null;
    return git('describe', '--always', '--dirty', '--abbrev=40', '--exclude=*');
  } catch {
    return null;
  }
}
