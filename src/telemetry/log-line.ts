import type { ReadBackOutcome, SyncEvent, WebhookOutcome } from '../domain/events.js';
import type { Area } from '../domain/names.js';
import { timeLeft } from './time-left.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  /** What to do; undefined: nothing, or the message says it. */
  readonly hint: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An area by what it is for: `jobs` alone reads like a number of jobs. */
const AREA_NAMES: Readonly<Record<Area, string>> = { jobs: 'Job-placement area', training: 'Training area' };

const WEBHOOK_LEVELS: Readonly<Record<WebhookOutcome, LogLevel>> = {
  stored: 'info',
  repeat: 'info',
  unrecognised: 'warn',
  'refused-size': 'warn',
  'refused-signature': 'warn',
  'refused-time': 'warn',
  'refused-not-json': 'warn',
  'refused-load': 'warn',
  'storage-failed': 'error',
};

const READ_BACK_WORDS: Readonly<Record<ReadBackOutcome, string>> = {
  same: 'is at the platform as it was sent',
  drifted: 'differs at the platform from what was sent',
  missing: 'is not at the platform',
  unanswered: 'could not be read back',
  outdated: 'changed while it was read back',
  adopted: 'is at the platform as desired, and is adopted',
  different: 'differs at the platform from what is desired, and stays pending',
  absent: 'is not at the platform yet, and stays pending',
};

/** The log line of an event; no payloads, no personal data. Pure. */
export function logLine(event: SyncEvent): LogLine {
  const { type, ...fields } = event;
  const line = (level: LogLevel, message: string, hint?: string): LogLine => ({
    level,
    message,
    hint,
    fields: { event: type, ...fields },
  });
  switch (event.type) {
    case 'run-started':
      return line('info', `Run ${event.runId} begins: ${event.entities.join(', ')}`);
    case 'sweep-started':
      return line('info', `${event.entity}: reading ${event.full ? `everything (${event.why})` : event.why}`);
    case 'sweep-progress':
      return line('debug', `${event.entity}: ${event.read} rows read`);
    case 'sweep-finished': {
      const { read, unchanged, changed, vanished, invalid, expired = 0 } = event.counters;
      const ended = expired === 0 ? '' : ` (${expired} expired)`;
      return line(
        'info',
        `${event.entity}: ${read} read, ${unchanged} unchanged, ${event.counters.new} new, ${changed} changed, ${vanished} vanished${ended}, ${invalid} invalid (${seconds(event.elapsedMs)})`,
      );
    }
    case 'stale-row-versions':
      return line(
        'warn',
        `${event.entity}: ${event.count === 1 ? 'one row changed while its row_version' : `${event.count} rows changed while their row_version`} did not, for instance ${event.sampleKeys.join(', ')}. Leave row_version out of the query, or fix it.`,
      );
    case 'mapping-warnings':
      return line(
        'warn',
        `${event.entity}: ${event.count === 1 ? 'one value' : `${event.count} values`} of ${event.field} ${event.count === 1 ? 'looks' : 'look'} doubtful. ${event.count === 1 ? '' : 'The first: '}${event.sample}`,
        event.hint,
      );
    case 'record-invalid':
      return line('debug', `${event.entity} ${event.key} is invalid: ${event.message}`);
    case 'entity-held':
      return line('error', `${event.entity} is held: ${event.message}`, event.hint);
    case 'entity-failed':
      return line('error', `${event.entity} failed (${event.code}): ${event.message}`, event.hint);
    case 'push-started':
      return line(
        'info',
        `${AREA_NAMES[event.area]}: ${event.due === 0 ? 'nothing to send' : `${records(event.due)} to send`}`,
      );
    case 'record-sent':
      return event.outcome === 'refused'
        ? line('warn', `${event.entity} ${event.key} was rejected: ${event.message ?? ''}`)
        : line(
            'debug',
            `${event.entity} ${event.key}: ${event.outcome}${event.message ? ` (${event.message})` : ''}`,
          );
    case 'request-finished': {
      const { operation, statusCode, elapsedMs } = event;
      const status = statusCode === null ? 'no reply' : String(statusCode);
      return line('debug', `${operation}: ${status} after ${Math.round(elapsedMs)} ms`);
    }
    case 'worker-active':
      return line('info', 'This process sweeps and sends now.');
    case 'worker-stopped':
      return line('info', stoppedSentence(event));
    case 'worker-standby': {
      const { holder, secondsLeft, own } = event;
      return line(
        'info',
        own
          ? `Waiting: an earlier lease under the name of this process (${holder}) is still valid for ${secondsLeft} s. This process takes over when it ends.`
          : `Standing by: ${holder} holds the leases (valid for ${secondsLeft} s). This process takes over when they end.`,
      );
    }
    case 'listening':
      return line('info', `Listening for ${event.what} at ${event.url}`);
    case 'area-paused':
      return line(
        'warn',
        `${AREA_NAMES[event.area]}: ${event.message}; sending continues in ${seconds(event.delayMs)}`,
      );
    case 'area-stopped':
      return line(
        'error',
        `${AREA_NAMES[event.area]}: sending stopped (${event.code}): ${event.message}`,
        event.hint,
      );
    case 'area-retry':
      return line(
        'info',
        `${AREA_NAMES[event.area]}: the next attempt to send is in ${timeLeft(event.delayMs / 1000)}`,
      );
    case 'work-started':
      return line('debug', `${event.work} …`);
    case 'work-advanced':
      return line('debug', `${event.work}: ${event.done}`);
    case 'work-ended':
      return line('debug', `${event.work}: done`);
    case 'progress':
      return line('info', `${event.work}: ${howFar(event)}`);
    case 'push-progress':
      return line(
        'info',
        `${AREA_NAMES[event.area]}: still sending. ${sentSentence(event.entities) ?? 'Nothing was sent so far.'}`,
      );
    case 'push-finished': {
      const sent = sentSentence(event.entities);
      return sent === null
        ? line('debug', `${AREA_NAMES[event.area]}: nothing was sent`)
        : line('info', sent);
    }
    case 'read-back-started':
      return line('info', `${AREA_NAMES[event.area]}: ${records(event.due)} to read back`);
    case 'record-read-back':
      return line(
        ['drifted', 'missing', 'unanswered'].includes(event.outcome) ? 'warn' : 'debug',
        `${event.entity} ${event.key} ${READ_BACK_WORDS[event.outcome]}${event.fields.length > 0 ? ` in ${event.fields.join(', ')}` : ''}${event.message ? `: ${event.message}` : ''}`,
      );
    case 'read-back-finished':
      return line('debug', `${AREA_NAMES[event.area]}: read back`);
    case 'lease-taken':
      return line('warn', leaseTaken(event));
    case 'webhook-event':
      return line(WEBHOOK_LEVELS[event.outcome], webhookSentence(event));
    case 'notice-told':
      return line('info', `Notice sent to notify.${event.way} (${event.receiver}): ${event.title}`);
    case 'operator-action': {
      const { action, entity, key, count } = event;
      const what = [action, entity, key].filter((word) => word !== null).join(' ');
      return line('info', `Dashboard: ${what}${count === null ? '' : `: ${records(count)}`}`);
    }
    case 'warning':
      return line('warn', event.message, event.hint);
    case 'run-failed':
      return line('error', `The run ends early (${event.code}): ${event.message}`, event.hint);
    case 'run-interrupted':
      return line('info', event.message);
    case 'command-failed':
      return line('error', event.message, event.hint);
    case 'run-finished':
      return line(
        event.exitCode === 0 ? 'info' : 'warn',
        `Run ${event.runId} ends: ${event.outcome}, exit code ${event.exitCode} (${seconds(event.elapsedMs)})`,
      );
  }
}

function stoppedSentence({ pending, heldBy }: Extract<SyncEvent, { type: 'worker-stopped' }>): string {
  if (heldBy !== null) return `Stopped. ${heldBy} holds the leases and goes on.`;
  const left =
    pending === null
      ? ''
      : ` ${records(pending)} ${pending === 1 ? 'is still to be sent; the next start or run sends it.' : 'are still to be sent; the next start or run sends them.'}`;
  return `Stopped. Outcomes are saved and the leases are free.${left}`;
}

function leaseTaken(event: Extract<SyncEvent, { type: 'lease-taken' }>): string {
  const { holder, lease, secondsLeft, own } = event;
  return own
    ? `An earlier process with the name of this one (${holder}) did not release the ${lease} lease (valid for ${secondsLeft} s). It ends by itself.`
    : `Another process is running: ${holder} holds the ${lease} lease (valid for ${secondsLeft} s). If that process has died, the lease ends by itself.`;
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

function howFar(event: Extract<SyncEvent, { type: 'progress' }>): string {
  const { done, total, perSecond, secondsLeft, elapsedMs } = event;
  if (done === 0) return `running for ${timeLeft(elapsedMs / 1000)}`;
  const left = secondsLeft === null ? '' : `, ${timeLeft(secondsLeft)} left`;
  return `${done}${total === null ? '' : ` of ${total}`}, ${perSecond}/s${left}`;
}

function webhookSentence(event: Extract<SyncEvent, { type: 'webhook-event' }>): string {
  const { outcome, applicationId, message } = event;
  const application = applicationId === null ? 'Webhook' : `Webhook with application ${applicationId}`;
  switch (outcome) {
    case 'stored':
      return `${application}: stored`;
    case 'repeat':
      return `${application}: stored before`;
    case 'unrecognised':
      return 'Webhook without a new application: stored as unrecognised; see body in the table job_application.';
    case 'storage-failed':
      return `${application}: not stored; the answer asks the platform to send it again: ${message ?? ''}`;
    case 'refused-size':
    case 'refused-signature':
    case 'refused-time':
    case 'refused-not-json':
    case 'refused-load':
      return `Webhook refused: ${message ?? outcome}`;
  }
}

function records(count: number): string {
  return count === 1 ? 'one record' : `${count} records`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
