import type { PgBoss } from 'pg-boss';
import type { LibraryDatabase } from '../state/database/library-database.js';
import { engineError, isEngineGone } from './engine-error.js';
import type { Warn } from './say-seldom.js';

/** The engine, whichever instance of the package it is at the moment. */
export interface Engine {
  /**
   * Runs `work` with it. When its schema turns out to be gone, it is built again, and `work` runs once more. Errors: those
   * of `work` as SyncError `state-unavailable` or `state-failed`.
   */
  use<T>(work: (boss: PgBoss) => Promise<T>): Promise<T>;
  /** On the engine's connections. Errors: those of pg. */
  readonly transaction: LibraryDatabase['beginTransaction'];
  close(): Promise<void>;
}

export interface EngineParts {
  /** A new instance, not started. */
  readonly create: () => PgBoss;
  /** Makes what must be there before the first job. */
  readonly prepare: (boss: PgBoss) => Promise<void>;
  readonly transaction: Engine['transaction'];
  readonly warn: Warn;
  /** After it was built again. */
  readonly onRestored: () => void;
}

/** Several replicas that build the schema at once can be in each other's way. */
const ATTEMPTS = 3;

/** Starts the engine, and again whenever its schema is gone. Errors: SyncError `state-unavailable`, `state-failed`. */
export async function keepEngine({
  create,
  prepare,
  transaction,
  warn,
  onRestored,
}: EngineParts): Promise<Engine> {
  let current: PgBoss | null = null;
  let building: Promise<PgBoss> | null = null;
  let stopping: Promise<void> = Promise.resolve();
  let wasLost = false;
  let closed = false;

  const stop = (boss: PgBoss) =>
    boss.stop({ graceful: false, close: true }).catch((error: unknown) => warn(engineError(error)));

  const lose = (boss: PgBoss) => {
    if (boss !== current || closed) return;
    current = null;
    wasLost = true;
    warn({
      message: 'The schema of the engine of the fleet is gone. It is made again; nothing is lost.',
      hint: 'What is due stands in the ledgers. Schedules and jobs come back within half a minute.',
    });
    stopping = stop(boss);
  };

  const start = async (): Promise<PgBoss> => {
    const boss = create();
    boss.on('error', (error) => {
      if (!isEngineGone(error)) return warn(engineError(error));
      lose(boss);
      // Nobody may be using it at the moment.
      if (!closed) engine().catch((failure: unknown) => warn(engineError(failure)));
    });
    boss.on('warning', (warning) => warn({ message: textOf(warning), hint: undefined }));
    try {
      await boss.start();
      await prepare(boss);
      return boss;
    } catch (error) {
      await stop(boss);
      throw error;
    }
  };

  const build = async (): Promise<PgBoss> => {
    await stopping;
    for (let attempt = 1; ; attempt += 1) {
      try {
        current = await start();
        break;
      } catch (error) {
        const { code } = engineError(error);
        if (attempt === ATTEMPTS || code === 'state-unavailable') throw error;
      }
    }
    if (wasLost) onRestored();
    wasLost = false;
    return current;
  };

  const engine = async (): Promise<PgBoss> => {
    if (current) return current;
    building ??= build().finally(() => (building = null));
    return await building;
  };

  const use: Engine['use'] = async (work) => {
    try {
      const boss = await engine();
      try {
        return await work(boss);
      } catch (error) {
        if (!isEngineGone(error) || closed) throw error;
        lose(boss);
      }
      return await work(await engine());
    } catch (error) {
      throw engineError(error);
    }
  };

  await use(() => Promise.resolve());
  return {
    use,
    transaction,
    async close() {
      closed = true;
      await building?.catch(() => undefined);
      if (current) stopping = stop(current);
      await stopping;
    },
  };
}

function textOf(warning: unknown): string {
  const { message } = warning as { readonly message?: unknown };
  return `The engine of the fleet warns: ${typeof message === 'string' ? message.replace(/^Warning: /, '') : String(warning)}`;
}
