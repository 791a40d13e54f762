import { SyncError } from '../domain/errors.js';

/** The oldest Node that the engine runs on. */
const NEEDED = [22, 12] as const;

/** @param version as `process.versions.node`. Errors: SyncError `usage` when it is too old for the engine. Pure. */
export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new SyncError('usage', `A fleet needs Node ${NEEDED.join('.')} or later; this is Node ${version}.`, {
    scope: 'usage',
    hint: 'Use the image, which has Node 24, or install Node 24 and then this program again. Everything but the fleet works with this Node.',
  });
}

/** The package of the engine is not there. `cause`: of the import. */
export function withoutEngine(cause: unknown): SyncError {
  return new SyncError('usage', 'A fleet needs the package pg-boss, which is not installed.', {
    scope: 'usage',
    hint: 'Use the image, which has Node 24, or install this program again with Node 24: an older npm or Node leaves the package out.',
    cause,
  });
}
