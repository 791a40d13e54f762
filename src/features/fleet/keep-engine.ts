import type { PgBoss } from 'pg-boss';
import { SyncError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import { scrubText } from '../../core/domain/scrub-text.js';
import { databaseMessage } from '../../core/domain/sql/error-fields.js';
import { withFullStop } from '../../core/domain/text.js';
import type { Clock } from '../../core/ports/clock.js';
import type { LibraryDatabase } from './state/library-database.js';
import { translateStateError } from '../../core/ledger/database/translate-state-error.js';

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

interface EngineParts {
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
      hint: 'What is due stands in the ledgers. All tenants are looked at once more.',
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

/** SQLSTATE: no such schema, table, function or type. */
const GONE = new Set(['3F000', '42P01', '42883', '42704']);

/** What the package says when its table of queues has no row of ours. */
const WITHOUT_QUEUE = /^Queue \S+ (does not exist|not found)/;

/** Whether the engine's schema was dropped, or was built again by somebody who has not made its queues. */
export function isEngineGone(error: unknown): boolean {
  const { code, message } = partsOf(error);
  return GONE.has(code) || WITHOUT_QUEUE.test(message);
}

/** An error of the package or of pg as a SyncError, without statement and without details of the connection. */
export function engineError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const { code, message } = partsOf(error);
  const asState = translateStateError(Object.assign(new Error(message), { code }), '');
  if (asState.code === 'state-unavailable' || code.startsWith('28')) {
    return new SyncError(
      'state-unavailable',
      `The engine of the fleet cannot use its database${code === '' ? '' : ` (${code})`}.`,
      {
        scope: 'run',
        hint: 'Check fleet.database.url, that the server is up and lets this user in, and its connection limit. The replica goes on by itself.',
        cause: error,
      },
    );
  }
  return new SyncError(
    'state-failed',
    `The engine of the fleet failed: ${withFullStop(databaseMessage(scrubText(message, [])))}`,
    {
      scope: 'run',
      hint: 'The role of fleet.database.url needs CREATE on the database, or to own the schema of the engine.',
      cause: error,
    },
  );
}

/** The package passes some errors on as plain objects. */
function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : String(error),
  };
}

/** The same text is said again after this, milliseconds. */
const SILENCE_MS = 600_000;

/** Texts to remember; more than that come only from a defect. */
const MAX_TEXTS = 100;

export type Warn = (warning: Pick<SyncError, 'message' | 'hint'> & Partial<Pick<SyncError, 'code'>>) => void;

/** Emits warnings, each text once in ten minutes: what fails every second would fill the log. */
export function warnSeldom(clock: Pick<Clock, 'monotonic'>, emit: Emit): Warn {
  const said = new Map<string, number>();
  return ({ message, hint, code }) => {
    const now = clock.monotonic();
    if (now - (said.get(message) ?? -Infinity) < SILENCE_MS) return;
    if (said.size >= MAX_TEXTS) said.clear();
    said.set(message, now);
    emit({ type: 'warning', message, hint, ...(code === undefined ? {} : { code }) });
  };
}
