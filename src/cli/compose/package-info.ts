import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../core/ports/clock.js';

/** Folder of this package: where package.json and config/ are, from source as well as from dist. */
export const PACKAGE_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

export const VERSION = (
  JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

/** Set by the build; from source it is not there. */
declare const BUILD_COMMIT: string | null | undefined;

/** The commit that this program was built from, shortened; null: unknown. */
export const COMMIT = typeof BUILD_COMMIT === 'undefined' ? null : BUILD_COMMIT;

/** For people: `2.0.0 (abc1234)`; before its release `2.0.0-dev (abc1234)`. */
export const SHOWN_VERSION = COMMIT === null ? VERSION : `${VERSION} (${COMMIT})`;

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted || ms <= 0) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
