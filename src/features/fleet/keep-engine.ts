import type { PgBoss } from 'pg-boss';
import { SyncError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import { scrubText } from '../../core/domain/scrub-text.js';
import { databaseMessage } from '../../core/domain/sql/error-fields.js';
import { withFullStop } from '../../core/domain/text.js';
import type { Clock } from '../../core/ports/clock.js';
import type { LibraryDatabase } from './state/library-database.js';
import { translateStateError } from '../../core/ledger/database/translate-state-error.js';

interface EngineParts {
  /** A new instance, not started. */
  readonly create: () => PgBoss;
  /** Makes what must be there before the first job. */
  readonly prepare: (boss: PgBoss) => Promise<void>;
  /** On the engine's connections. Errors: those of pg. */
  readonly transaction: LibraryDatabase['beginTransaction'];
  readonly warn: Warn;
  /** After it was built again. */
  readonly onRestored: () => void;
}

/** Several replicas that build the schema at once can be in each other's way. */
const ATTEMPTS = 3;

/** Starts the engine, and again whenever its schema is gone. Errors: SyncError `state-unavailable`, `state-failed`. */
export async function keepEngine(parts: EngineParts): Promise<Engine> {
  const engine = new Engine(parts);
  await engine.use(() => Promise.resolve());
  return engine;
}

/** The engine, whichever instance of the package it is at the moment. */
export class Engine {
  /** The instance that is used; null: none was started, or its schema is gone. */
  private current: PgBoss | null = null;
  /** The next one, for all who wait for it. */
  private building: Promise<PgBoss> | null = null;
  /** The end of the one before. */
  private stopping: Promise<void> = Promise.resolve();
  private wasLost = false;
  private closed = false;

  constructor(private readonly parts: EngineParts) {}

  /**
   * Runs `work` with it. When its schema turns out to be gone, it is built again, and `work` runs once more. Errors: those
   * of `work` as SyncError `state-unavailable` or `state-failed`.
   */
  async use<T>(work: (boss: PgBoss) => Promise<T>): Promise<T> {
    try {
      const boss = await this.instance();
      try {
        return await work(boss);
      } catch (error) {
        if (!isEngineGone(error) || this.closed) throw error;
        this.lose(boss);
      }
      return await work(await this.instance());
    } catch (error) {
      throw engineError(error);
    }
  }

  transaction(): ReturnType<EngineParts['transaction']> {
    return this.parts.transaction();
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.building?.catch(() => undefined);
    if (this.current) this.stopping = this.stop(this.current);
    await this.stopping;
  }

  private async instance(): Promise<PgBoss> {
    if (this.current) return this.current;
    this.building ??= this.build().finally(() => (this.building = null));
    return await this.building;
  }

  private async build(): Promise<PgBoss> {
    await this.stopping;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.current = await this.start();
        break;
      } catch (error) {
        const { code } = engineError(error);
        if (attempt === ATTEMPTS || code === 'state-unavailable') throw error;
      }
    }
    if (this.wasLost) this.parts.onRestored();
    this.wasLost = false;
    return this.current;
  }

  private async start(): Promise<PgBoss> {
    const { create, prepare, warn } = this.parts;
    const boss = create();
    boss.on('error', (error) => {
      if (!isEngineGone(error)) return warn(engineError(error));
      this.lose(boss);
      // Nobody may be using it at the moment.
      if (!this.closed) this.instance().catch((failure: unknown) => warn(engineError(failure)));
    });
    boss.on('warning', (warning) => warn({ message: textOf(warning), hint: undefined }));
    try {
      await boss.start();
      await prepare(boss);
      return boss;
    } catch (error) {
      await this.stop(boss);
      throw error;
    }
  }

  private lose(boss: PgBoss): void {
    if (boss !== this.current || this.closed) return;
    this.current = null;
    this.wasLost = true;
    this.parts.warn({
      message: 'The schema of the engine of the fleet is gone. It is made again; nothing is lost.',
      hint: 'What is due stands in the ledgers. All tenants are looked at once more.',
    });
    this.stopping = this.stop(boss);
  }

  private stop(boss: PgBoss): Promise<void> {
    return boss
      .stop({ graceful: false, close: true })
      .catch((error: unknown) => this.parts.warn(engineError(error)));
  }
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
