import { createRequire } from 'node:module';
import type Winston from 'winston';
import type { Emit, ReadBackOutcome, SyncEvent, WebhookOutcome } from '../../core/domain/events.js';
import type { Area } from '../../core/domain/names.js';
import { outcomeText } from '../../core/domain/run-ending.js';
import { lagText } from '../../core/domain/source-sight.js';
import { plural, visibleText, withFullStop } from '../../core/domain/text.js';

/**
 * The log. An event becomes a line (`logLine`): level, message, hint and fields, without payloads and personal data. The
 * listener leaves out lines below its level and all but the first of what anybody can cause in numbers, and the library
 * writes the rest, as JSON or for people.
 */

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

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** A listener that writes the event union as log lines. A level that is off costs one comparison. */
export function createLog(options: LogOptions): Emit {
  return listener(options, createWriter(options));
}

type WriteLine = (line: { readonly level: LogLevel; readonly message: string }) => void;

const ORDER: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

const WEBHOOK_WINDOW_MS = 60_000;

/** Webhooks with a line of their own within a minute: as many may come as the network allows. */
const WEBHOOK_LINES = 20;

/** So frequent that even making their lines costs too much. */
const QUIET_EVENTS: ReadonlySet<SyncEvent['type']> = new Set([
  'sweep-progress',
  'work-started',
  'work-advanced',
  'work-ended',
  'record-invalid',
  'request-finished',
]);

/** How many rejected records of a run get a line each; `status` and `explain` show the rest. */
const REJECTED_LINES = 20;

function listener(options: LogOptions, write: WriteLine): Emit {
  const owner = options.tenant === undefined ? {} : { tenant: options.tenant };
  const warn = (message: string) => write({ ...owner, level: 'warn', message });
  const threshold = ORDER.indexOf(options.level);
  const now = options.now ?? (() => performance.now());
  let rejected = 0;
  const bounded = (what: string): (() => boolean) => {
    let window = { since: -Infinity, lines: 0 };
    return () => {
      if (now() - window.since >= WEBHOOK_WINDOW_MS) window = { since: now(), lines: 0 };
      window.lines += 1;
      if (window.lines === WEBHOOK_LINES + 1)
        warn(
          `More ${what} webhooks are not logged for a minute; the metric placement_sync_webhook_events_total counts them.`,
        );
      return window.lines <= WEBHOOK_LINES;
    };
  };
  // Apart: whoever sends what is refused must not hide what the platform sent and nobody has.
  const refusedIsLogged = bounded('refused');
  const troubleIsLogged = bounded('unrecognised or unstored');

  return (event: SyncEvent) => {
    const isQuiet =
      QUIET_EVENTS.has(event.type) ||
      (event.type === 'record-sent' && event.outcome !== 'refused') ||
      (event.type === 'webhook-event' && WEBHOOK_LEVELS[event.outcome] === 'debug');
    if (isQuiet && threshold < ORDER.indexOf('debug')) return;
    if (event.type === 'run-started') rejected = 0;
    if (event.type === 'record-sent' && event.outcome === 'refused') {
      rejected += 1;
      if (rejected === REJECTED_LINES + 1)
        warn('More rejected records are not logged; see placement-sync status.');
      if (rejected > REJECTED_LINES) return;
    }
    if (event.type === 'webhook-event' && WEBHOOK_LEVELS[event.outcome] !== 'debug') {
      const isLogged = event.outcome.startsWith('refused-') ? refusedIsLogged : troubleIsLogged;
      if (!isLogged()) return;
    }
    const { level, message, hint, fields } = logLine(event);
    if (ORDER.indexOf(level) > threshold) return;
    // JSON has message and hint apart; for people they are one line.
    const text =
      options.format === 'json' || hint === undefined ? message : `${withFullStop(message)} ${hint}`;
    // The line's own message has the event's in it.
    write({ ...owner, ...fields, level, message: text });
  };
}

interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  /** What to do; undefined: nothing, or the message says it. */
  readonly hint: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An area by what it is for: `jobs` alone reads like a number of jobs. */
const AREA_NAMES: Readonly<Record<Area, string>> = { jobs: 'Job-placement area', training: 'Training area' };

const READ_BACK_WORDS: Readonly<Record<ReadBackOutcome, string>> = {
  same: 'is at the platform as it was sent',
  drifted: 'differs at the platform from what was sent',
  missing: 'is not at the platform',
  'not-live': 'is not live',
  unanswered: 'could not be read back',
  outdated: 'changed while it was read back',
  adopted: 'is at the platform as desired, and is adopted',
  different: 'differs at the platform from what is desired, and stays pending',
  absent: 'is not at the platform yet, and stays pending',
};

/** What needs an eye has a line at `info`; of the rest the counts of a minute say enough. */
const WEBHOOK_LEVELS: Readonly<Record<WebhookOutcome, LogLevel>> = {
  stored: 'debug',
  changed: 'debug',
  repeat: 'debug',
  unrecognised: 'warn',
  'refused-encoding': 'warn',
  'refused-size': 'warn',
  'refused-signature': 'warn',
  'refused-time': 'warn',
  'refused-not-json': 'warn',
  'refused-load': 'warn',
  answered: 'debug',
  'adapter-failed': 'error',
  'storage-failed': 'error',
};

/** Outcomes as a line with counts has them. */
const WEBHOOK_WORDS: Readonly<Record<WebhookOutcome, string>> = {
  stored: 'stored',
  changed: 'stored as a further version',
  repeat: 'stored before',
  unrecognised: 'stored as unrecognised',
  'refused-encoding': 'refused (encoding)',
  'refused-size': 'refused (size)',
  'refused-signature': 'refused (signature)',
  'refused-time': 'refused (time)',
  'refused-not-json': 'refused (not JSON)',
  'refused-load': 'refused (too many at once)',
  answered: 'answered by the adapter',
  'adapter-failed': 'not stored, because the adapter failed',
  'storage-failed': 'not stored',
};

type Line = Omit<LogLine, 'fields'>;

const line = (level: LogLevel, message: string, hint?: string): Line => ({ level, message, hint });
const debug = (message: string) => line('debug', message);
const info = (message: string) => line('info', message);
const warn = (message: string, hint?: string) => line('warn', message, hint);
const error = (message: string, hint?: string) => line('error', message, hint);

const LINES: {
  readonly [Type in SyncEvent['type']]: (event: Extract<SyncEvent, { type: Type }>) => Line;
} = {
  'run-started': (event) => info(`Run ${event.runId} begins: ${event.entities.join(', ')}`),
  'sweep-started': (event) =>
    info(`${event.entity}: reading ${event.full ? `everything (${event.why})` : event.why}`),
  'sweep-progress': (event) => debug(`${event.entity}: ${event.read} rows read`),
  'sweep-finished': (event) => {
    const { read, unchanged, changed, vanished, invalid, expired = 0 } = event.counters;
    const ended = expired === 0 ? '' : ` (${expired} expired)`;
    const behind =
      event.sourceLagMs === undefined
        ? ''
        : `; the source is a replica, ${lagText(event.sourceLagMs)} behind`;
    return info(
      `${event.entity}: ${read} read, ${unchanged} unchanged, ${event.counters.new} new, ${changed} changed, ${vanished} vanished${ended}, ${invalid} invalid (${seconds(event.elapsedMs)})${behind}`,
    );
  },
  'stale-row-versions': (event) =>
    warn(
      `${event.entity}: ${plural(event.count, 'one row changed while its row_version', `${event.count} rows changed while their row_version`)} did not, for instance ${event.sampleKeys.join(', ')}. Leave row_version out of the query, or fix it.`,
    ),
  'mapping-warnings': (event) =>
    warn(
      `${event.entity}: ${plural(event.count, 'one value', `${event.count} values`)} of ${event.field} ${plural(event.count, 'looks', 'look')} doubtful. ${plural(event.count, '', 'The first: ')}${event.sample}`,
      event.hint,
    ),
  'record-invalid': (event) => debug(`${event.entity} ${event.key} is invalid: ${event.message}`),
  'entity-held': (event) => error(`${event.entity} is held: ${event.message}`, event.hint),
  'entity-failed': (event) => error(`${event.entity} failed (${event.code}): ${event.message}`, event.hint),
  'push-started': (event) =>
    info(
      `${AREA_NAMES[event.area]}: ${event.due === 0 ? 'nothing to send' : `${records(event.due)} to send`}`,
    ),
  'record-sent': (event) =>
    event.outcome === 'refused'
      ? warn(`${event.entity} ${event.key} was rejected: ${event.message ?? ''}`)
      : debug(`${event.entity} ${event.key}: ${event.outcome}${event.message ? ` (${event.message})` : ''}`),
  'request-finished': ({ operation, statusCode, elapsedMs }) =>
    debug(`${operation}: ${statusCode ?? 'no reply'} after ${Math.round(elapsedMs)} ms`),
  'worker-active': () => info('This process sweeps and sends now.'),
  'worker-stopped': ({ pending, heldBy }) => {
    if (heldBy !== null) return info(`Stopped. ${heldBy} holds the leases and goes on.`);
    const left =
      pending === null
        ? ''
        : ` ${records(pending)} ${plural(pending, 'is still to be sent; the next start or run sends it.', 'are still to be sent; the next start or run sends them.')}`;
    return info(`Stopped. Outcomes are saved and the leases are free.${left}`);
  },
  'worker-standby': ({ holder, secondsLeft, own }) =>
    info(
      own
        ? `Waiting: an earlier lease under the name of this process (${holder}) is still valid for ${secondsLeft} s. This process takes over when it ends.`
        : `Standing by: ${holder} holds the leases (valid for ${secondsLeft} s). This process takes over when they end.`,
    ),
  listening: (event) => info(`Listening for ${event.what} at ${event.url}`),
  'lookup-changed': ({ file, entities }) =>
    info(
      entities.length === 0
        ? `${file} can be used again and says what it said before.`
        : `${file} has changed and was read again: the next sweep reads every row of ${entities.join(' and ')}.`,
    ),
  'area-paused': (event) =>
    warn(`${AREA_NAMES[event.area]}: ${event.message}; sending continues in ${seconds(event.delayMs)}`),
  'area-stopped': (event) =>
    error(`${AREA_NAMES[event.area]}: sending stopped (${event.code}): ${event.message}`, event.hint),
  'platform-version': (event) =>
    warn(
      `${AREA_NAMES[event.area]}: the platform’s replies name version ${event.version}; before it was ${event.before}.`,
      'Ask the operator of the platform what changed. placement-sync probe compares it with what is assumed.',
    ),
  'area-retry': (event) =>
    info(`${AREA_NAMES[event.area]}: the next attempt to send is in ${timeLeft(event.delayMs / 1000)}`),
  'work-started': (event) => debug(`${event.work} …`),
  'work-advanced': (event) => debug(`${event.work}: ${event.done}`),
  'work-ended': (event) => debug(`${event.work}: done`),
  progress: (event) => info(`${event.work}: ${howFar(event)}`),
  'push-progress': (event) =>
    info(
      `${AREA_NAMES[event.area]}: still sending. ${sentSentence(event.entities) ?? 'Nothing was sent so far.'}`,
    ),
  'push-finished': (event) => {
    const sent = sentSentence(event.entities);
    return sent === null ? debug(`${AREA_NAMES[event.area]}: nothing was sent`) : info(sent);
  },
  'read-back-started': (event) => info(`${AREA_NAMES[event.area]}: ${records(event.due)} to read back`),
  'record-read-back': (event) =>
    line(
      ['drifted', 'missing', 'unanswered'].includes(event.outcome) ? 'warn' : 'debug',
      `${event.entity} ${event.key} ${READ_BACK_WORDS[event.outcome]}${event.fields.length > 0 ? ` in ${event.fields.join(', ')}` : ''}${event.message ? `: ${event.message}` : ''}`,
    ),
  'read-back-finished': (event) => debug(`${AREA_NAMES[event.area]}: read back`),
  'lease-taken': ({ holder, lease, secondsLeft, own }) =>
    warn(
      own
        ? `An earlier process with the name of this one (${holder}) did not release the ${lease} lease (valid for ${secondsLeft} s). It ends by itself.`
        : `Another process is running: ${holder} holds the ${lease} lease (valid for ${secondsLeft} s). If that process has died, the lease ends by itself.`,
    ),
  'webhook-event': (event) => line(WEBHOOK_LEVELS[event.outcome], webhookSentence(event)),
  'webhooks-received': (event) => {
    const counts = Object.entries(event.counts);
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    return info(
      `${plural(sum, 'One webhook', `${sum} webhooks`)} received: ${counts.map(([outcome, count]) => `${count} ${WEBHOOK_WORDS[outcome as WebhookOutcome]}`).join(', ')}.`,
    );
  },
  'notice-sent': (event) => info(`Notice sent to notify.${event.way} (${event.receiver}): ${event.title}`),
  'subject-request': ({ request, receiptId, rows }) => {
    const counts = Object.entries(rows).map(([table, count]) => `${count} of ${table}`);
    const done = request === 'erase' ? 'erased' : 'exported';
    return info(`Data of one person ${done} (receipt ${receiptId}): rows ${counts.join(', ') || 'none'}.`);
  },
  'operator-action': ({ who, via, action, entity, counts, outcome }) => {
    const counted = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
    const what = [action, ...(entity === null ? [] : [entity])].join(' ');
    return info(`${who} (${via}): ${what}: ${[outcome, ...counted].join(', ')}`);
  },
  warning: (event) => warn(event.message, event.hint),
  'run-failed': (event) => error(`The run ends early (${event.code}): ${event.message}`, event.hint),
  'run-interrupted': (event) => info(event.message),
  'command-failed': (event) => error(event.message, event.hint),
  'run-finished': (event) =>
    line(
      event.exitCode === 0 ? 'info' : 'warn',
      `Run ${event.runId} ends: ${outcomeText(event.outcome, event.exitCode)}, exit code ${event.exitCode} (${seconds(event.elapsedMs)})`,
    ),
};

export function logLine(event: SyncEvent): LogLine {
  const { type, ...fields } = event;
  return { ...(LINES[type] as (event: SyncEvent) => Line)(event), fields: { event: type, ...fields } };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function records(count: number): string {
  return count === 1 ? 'one record' : `${count} records`;
}

/** A duration in seconds as people say it: `40 s`, `12 min`, `3.4 h`. */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

/** The same of a time that is over: 61 s are one minute. */
export function timeGone(seconds: number): string {
  return seconds < 60
    ? `${Math.floor(seconds)} s`
    : timeLeft(seconds < 3_600 ? seconds - (seconds % 60) : seconds);
}

function howFar(event: Extract<SyncEvent, { type: 'progress' }>): string {
  const { done, total, perSecond, secondsLeft, elapsedMs } = event;
  if (done === 0) return `running for ${timeGone(elapsedMs / 1000)}`;
  const left = secondsLeft === null ? '' : `, ${timeLeft(secondsLeft)} left`;
  return `${done}${total === null ? '' : ` of ${total}`}, ${perSecond}/s${left}`;
}

/** `Sent 12 records of companies: 11 accepted, 1 rejected.`, one sentence for each entity; null: nothing was sent. */
function sentSentence(entities: Extract<SyncEvent, { type: 'push-finished' }>['entities']): string | null {
  const sentences = Object.entries(entities).map(([entity, { sent, ...outcomes }]) => {
    const parts = (['accepted', 'rejected', 'deferred'] as const).flatMap((outcome) =>
      outcomes[outcome] > 0 ? [`${outcomes[outcome]} ${outcome}`] : [],
    );
    return `Sent ${records(sent)} of ${entity}: ${parts.join(', ')}.`;
  });
  return sentences.length === 0 ? null : sentences.join(' ');
}

function webhookSentence(event: Extract<SyncEvent, { type: 'webhook-event' }>): string {
  const { outcome, applicationId, message } = event;
  const application = applicationId === null ? 'Webhook' : `Webhook with application ${applicationId}`;
  switch (outcome) {
    case 'stored':
      return `${application}: stored`;
    case 'changed':
      return `${application}: stored as a further version, because its data changed`;
    case 'repeat':
      return `${application}: stored before`;
    case 'unrecognised':
      return 'Webhook without a new application: stored as unrecognised; see body in the table job_application.';
    case 'storage-failed':
      return `${application}: not stored; the answer asks the platform to send it again: ${message ?? ''}`;
    case 'answered':
      return 'Webhook: answered by the adapter, and not stored.';
    case 'adapter-failed':
      return `Webhook: not stored, because the adapter failed; the answer asks the platform to send it again: ${message ?? ''}`;
    case 'refused-encoding':
    case 'refused-size':
    case 'refused-signature':
    case 'refused-time':
    case 'refused-not-json':
    case 'refused-load':
      return `Webhook refused: ${message ?? outcome}`;
  }
}

function createWriter(options: LogOptions): WriteLine {
  let made: Winston.Logger | undefined;
  return (line) => (made ??= createLogger(options)).log({ ...line });
}

const require = createRequire(import.meta.url);

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
            printf(({ timestamp: at, level: name, message, tenant }) => {
              const owner = typeof tenant === 'string' ? `${tenant}: ` : '';
              // Indented: a line feed in a key must not look like a new entry.
              const text = visibleText(String(message)).replaceAll('\n', '\n  ');
              return `${String(at)} ${name.padEnd(5)} ${owner}${text}`;
            }),
          ),
    transports: [new winston.transports.Stream({ stream })],
  });
}

/** The log of each tenant of a fleet, all to the same stream. */
export function createTenantLogs(options: LogOptions): (tenant: string) => Emit {
  const write = createWriter(options);
  return (tenant) => listener({ ...options, tenant }, write);
}
