import type pg from 'pg';
import { SyncError } from '../domain/errors.js';
import type { EntityQuery } from '../ports/source.js';

/** The error of a read whose signal has aborted. */
export function interrupted({ entity }: Pick<EntityQuery, 'entity'>): SyncError {
  return new SyncError('interrupted', `The reading of ${entity} was stopped.`, { scope: 'run' });
}

/** The connection, unless the signal aborts first; one that comes later is given back. */
export async function unlessInterrupted(
  connecting: Promise<pg.PoolClient>,
  query: EntityQuery,
  signal: AbortSignal,
): Promise<pg.PoolClient> {
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  const client = await Promise.race([connecting, aborted]).finally(() =>
    signal.removeEventListener('abort', stop),
  );
  if (client) return client;
  void connecting.then(
    (late) => late.release(true),
    () => undefined,
  );
  throw interrupted(query);
}
