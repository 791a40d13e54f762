import { createRequire } from 'node:module';
import type Winston from 'winston';
import type { Emit, SyncEvent } from '../domain/events.js';
import { visibleText } from '../domain/text.js';
import { logLine, type LogLevel } from './log-line.js';

const require = createRequire(import.meta.url);

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'pretty';
  /** Where lines go; standard error, because standard output belongs to results. */
  readonly stream: NodeJS.WritableStream;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  /** Whose events these are: in a fleet every line names its tenant. */
  readonly tenant?: string;
}

/** Writes one line: its level, its message and further fields. */
type WriteLine = (line: { readonly level: LogLevel; readonly message: string }) => void;

const ORDER: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/** How many rejected records of a run get a line each; `status` and `explain` show the rest. */
const REJECTED_LINES = 20;

/** The same for refused webhooks within a minute: anybody can send them, as fast as the network allows. */
const WEBHOOK_LINES = 20;
const WEBHOOK_WINDOW_MS = 60_000;

/** A listener that writes the event union as log lines. A level that is off costs one comparison. */
export function createLog(options: LogOptions): Emit {
  return listener(options, createWriter(options));
}

/** The log of each tenant of a fleet, all to the same stream. */
export function createTenantLogs(options: LogOptions): (tenant: string) => Emit {
  const write = createWriter(options);
  return (tenant) => listener({ ...options, tenant }, write);
}

function listener(options: LogOptions, write: WriteLine): Emit {
  const owner = options.tenant === undefined ? {} : { tenant: options.tenant };
  const warn = (message: string) => write({ ...owner, level: 'warn', message });
  const threshold = ORDER.indexOf(options.level);
  const now = options.now ?? (() => performance.now());
  let rejected = 0;
  let webhooks = { since: -Infinity, refused: 0 };

  /** Whether a refused webhook gets a line. */
  const isLogged = (): boolean => {
    if (now() - webhooks.since >= WEBHOOK_WINDOW_MS) webhooks = { since: now(), refused: 0 };
    webhooks.refused += 1;
    if (webhooks.refused === WEBHOOK_LINES + 1)
      warn(
        'More refused webhooks are not logged for a minute; the metric placement_sync_webhook_events_total counts them.',
      );
    return webhooks.refused <= WEBHOOK_LINES;
  };

  return (event: SyncEvent) => {
    if (QUIET_EVENTS.has(event.type) && threshold < ORDER.indexOf('debug')) return;
    if (event.type === 'record-sent' && event.outcome !== 'refused' && threshold < ORDER.indexOf('debug'))
      return;
    if (event.type === 'run-started') rejected = 0;
    if (event.type === 'record-sent' && event.outcome === 'refused') {
      rejected += 1;
      if (rejected === REJECTED_LINES + 1)
        warn('More rejected records are not logged; see placement-sync status.');
      if (rejected > REJECTED_LINES) return;
    }
    if (event.type === 'webhook-event' && event.outcome.startsWith('refused-') && !isLogged()) return;
    const { level, message, hint, fields } = logLine(event);
    if (ORDER.indexOf(level) > threshold) return;
    // JSON has message and hint apart; for people they are one line.
    const text = options.format === 'json' || hint === undefined ? message : `${sentence(message)} ${hint}`;
    // The line's own message has the event's in it.
    write({ ...owner, ...fields, level, message: text });
  };
}

/** Makes the logger with the first line. */
function createWriter(options: LogOptions): WriteLine {
  let made: Winston.Logger | undefined;
  return (line) => (made ??= createLogger(options)).log({ ...line });
}

/** The library is loaded with the first line: a command that reports nothing starts faster without it. */
function createLogger({ level, format, stream }: LogOptions): Winston.Logger {
  const winston = require('winston') as typeof Winston;
  const { combine, timestamp, json, printf } = winston.format;
  return winston.createLogger({
    level,
    format:
      format === 'json'
        ? combine(timestamp(), json({ bigint: true }))
        : combine(
            timestamp({ format: 'HH:mm:ss' }),
            printf(
              ({ timestamp: at, level: name, message, tenant }) =>
                `${String(at)} ${name.padEnd(5)} ${typeof tenant === 'string' ? `${tenant}: ` : ''}${oneEntry(String(message))}`,
            ),
          ),
    transports: [new winston.transports.Stream({ stream })],
  });
}

/** So frequent that even making their lines costs too much. */
const QUIET_EVENTS: ReadonlySet<SyncEvent['type']> = new Set([
  'sweep-progress',
  'work-started',
  'work-advanced',
  'work-ended',
  'record-invalid',
  'request-finished',
]);

/** Indents the further lines of a message: a line feed in a key must not look like a new entry. */
function oneEntry(message: string): string {
  return visibleText(message).replaceAll('\n', '\n  ');
}

/** Ends with a stop, so that something may follow. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
