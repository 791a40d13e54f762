import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { HEADER_NAMES } from '../../core/contract/request-headers.js';
import type { SignatureProfile } from '../../core/contract/signature.js';
import { SyncError } from '../../core/domain/errors.js';
import type { Emit, SyncEvent, WebhookOutcome } from '../../core/domain/events.js';
import type { WebhookRefusal } from '../../core/domain/trouble/trouble.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Inbox, RefusedCount } from './state/inbox.js';
import { answer, type Exchange, openListener, type PlainAnswer } from '../http/listener.js';
import { createByteBudget } from '../http/read-body.js';
import { hostInAddress } from '../../core/runtime/loopback.js';
import type { WebhookAdapter } from './adapted-webhook.js';
import { type ReceiveOptions, receiveWebhook } from './receive-webhook.js';

/**
 * The public listener: takes job applications at one path and nothing else. Each request is
 * received (`receiveWebhook`), logged and counted (`countOutcomes`), and answered.
 */

export interface WebhookOptions {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** `webhook.signedPath`: what the platform signs where a proxy changes the path. Null: the path itself. */
  readonly signedPath: string | null;
  readonly secrets: readonly string[];
  readonly profile: SignatureProfile;
  /** The partner's function for webhooks. Default: none. */
  readonly adapter?: WebhookAdapter | null;
  readonly toleranceMs: number;
  readonly inbox: Pick<Inbox, 'store' | 'noteReceipts'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly emit: Emit;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes of all bodies that are under way. Default 16 MiB. */
  readonly budgetBytes?: number;
  /** Longest wait for the inbox. Default 20 s. */
  readonly storeTimeoutMs?: number;
  /** Longest time for the headers, and 1.5 times this for a whole request. Default 10 s. */
  readonly headersTimeoutMs?: number;
}

export interface RunningWebhook {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, stores and answers what arrived for at most 10 s, then ends everything. */
  close(): Promise<void>;
}

const GRACE_MS = 10_000;

/** Errors: SyncError `config-invalid` without a secret or when it cannot listen on the address. */
export async function startWebhook(options: WebhookOptions): Promise<RunningWebhook> {
  if (options.secrets.length === 0 || options.secrets.includes('')) {
    throw new SyncError('config-invalid', 'webhook.secrets is empty, so no webhook can be verified.', {
      scope: 'usage',
      hint: 'Set webhook.secrets to the secret that the platform signs webhooks with.',
    });
  }
  const { host, port, path, headersTimeoutMs = 10_000 } = options;
  const notes = new ReceiptNotes(options.inbox);
  const counted = countOutcomes(options.emit);
  const listener = await openListener({
    host,
    port,
    maxConnections: 200,
    headTimeoutMs: headersTimeoutMs,
    requestTimeoutMs: headersTimeoutMs * 1.5,
    handle: handler({ ...options, emit: counted.emit }, notes),
  }).catch((error: unknown) => {
    throw cannotListen(error as NodeJS.ErrnoException, options);
  });
  return {
    url: `${listener.url}${path}`,
    port: listener.port,
    async close() {
      await listener.close(GRACE_MS);
      counted.close();
      await notes.close();
    },
  };
}

const MAX_BODY_BYTES = 1024 * 1024;

const BUDGET_BYTES = 16 * 1024 * 1024;

/** Seconds after which the platform may send again what could not be stored. */
const RETRY_AFTER_SECONDS = '30';

function handler(options: WebhookOptions, notes: ReceiptNotes): (exchange: Exchange) => Promise<void> {
  const { path, emit, adapter = null } = options;
  const rules: ReceiveOptions = {
    ...options,
    adapter,
    signedPath: options.signedPath ?? path,
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    budget: createByteBudget(options.budgetBytes ?? BUDGET_BYTES),
    storeTimeoutMs: options.storeTimeoutMs ?? 20_000,
  };
  // An adapter may answer a challenge that comes as GET.
  const methods = adapter === null ? ['POST'] : ['POST', 'GET'];
  return async (exchange) => {
    const { url = '', method } = exchange.incoming;
    // As sent: another spelling is another path.
    if (url.split('?', 1)[0] !== path) return answer(exchange, json(404, 'Not found'));
    if (!methods.includes(method ?? ''))
      return answer(exchange, json(405, 'Method not allowed', { allow: methods.join(', ') }));
    const receipt = await receiveWebhook(exchange, rules);
    if (receipt === null) return;
    const { status, message, outcome, reason, refused, requestId, applicationId } = receipt;
    if (status === 200) notes.accepted();
    else if (refused !== null && claimsToBe(exchange.incoming.headers)) notes.refused(refused);
    emit({ type: 'webhook-event', outcome, message: reason, requestId, applicationId });
    const retry = status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
    answer(exchange, receipt.answer ?? json(status, message, retry));
  };
}

/** Whether it claims to come from the platform: other callers of a public address are no trouble. */
function claimsToBe(headers: IncomingHttpHeaders): boolean {
  return [HEADER_NAMES.clientId, HEADER_NAMES.signature].some(
    (name) => (headers[name.toLowerCase()] ?? '') !== '',
  );
}

/** Between two writes: whoever sends webhooks that are refused must not load the database. */
const NOTE_MS = 1_000;

/**
 * Notes in the inbox what was refused since a webhook was accepted, at most once a second, so that other processes can
 * show it. While the database is away the counts stay here, and the next receipt tries again.
 */
class ReceiptNotes {
  /** One was accepted since the last write: what was refused before it counts no more. */
  private hasAccepted = false;
  /** Refused since then; the latest last. */
  private counts = new Map<WebhookRefusal, RefusedCount>();
  private timer: NodeJS.Timeout | null = null;
  /** Ends with the last write that was planned. */
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly inbox: Pick<Inbox, 'noteReceipts'>) {}

  accepted(): void {
    this.hasAccepted = true;
    this.counts = new Map();
    this.plan();
  }

  refused(one: Omit<RefusedCount, 'count'>): void {
    this.add({ ...one, count: 1 });
    this.plan();
  }

  /** Writes what is left. Never rejects. */
  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private plan(): void {
    this.timer ??= setTimeout(() => {
      this.writing = this.writing.then(() => this.write());
    }, NOTE_MS);
  }

  private async write(): Promise<void> {
    this.timer = null;
    if (!this.hasAccepted && this.counts.size === 0) return;
    const taken = { accepted: this.hasAccepted, refused: this.take() };
    this.hasAccepted = false;
    try {
      await this.inbox.noteReceipts(taken);
    } catch {
      const later = this.take();
      for (const one of [...(this.hasAccepted ? [] : taken.refused), ...later]) this.add(one);
      this.hasAccepted ||= taken.accepted;
    }
  }

  private take(): RefusedCount[] {
    const taken = [...this.counts.values()];
    this.counts = new Map();
    return taken;
  }

  private add(one: RefusedCount): void {
    const count = one.count + (this.counts.get(one.reason)?.count ?? 0);
    this.counts.delete(one.reason);
    this.counts.set(one.reason, { ...one, count });
  }
}

/** `{}` without a message, as the interface requires (§6). */
function json(status: number, message: string | null, headers: OutgoingHttpHeaders = {}): PlainAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message === null ? {} : { message }),
  };
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: WebhookOptions): SyncError {
  return new SyncError(
    'config-invalid',
    `The webhook cannot listen on ${hostInAddress(host)}:${port}: ${error.code ?? 'unknown error'}.`,
    {
      scope: 'usage',
      hint: 'Change http.public.host or http.public.port, or stop the program that listens there.',
      cause: error,
    },
  );
}

/** A line of the log for each webhook was most of the log. */
const COUNTED_MS = 60_000;

/**
 * Passes events on, and after each minute in which a webhook came an event with how many there were of each outcome.
 * `close` reports those since.
 */
export function countOutcomes(emit: Emit): { readonly emit: Emit; close(): void } {
  let counts = new Map<WebhookOutcome, number>();
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const reported = Object.fromEntries(counts);
    counts = new Map();
    emit({ type: 'webhooks-received', counts: reported });
  };
  return {
    emit(event: SyncEvent) {
      if (event.type === 'webhook-event') {
        counts.set(event.outcome, (counts.get(event.outcome) ?? 0) + 1);
        timer ??= setTimeout(report, COUNTED_MS).unref();
      }
      emit(event);
    },
    close: report,
  };
}
