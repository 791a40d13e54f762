import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import type { Notice } from '../../../src/features/notices/next-memory.js';
import { createMetrics } from '../../../src/features/metrics/metrics.js';
import type { EntityGauges } from '../../../src/features/metrics/state-gauges.js';
import { listen } from '../../loopback.js';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface NoticeReceiver {
  /** Ends in a path that nobody may see. */
  readonly url: string;
  readonly received: readonly Received[];
  /** How it answers from now on. */
  answer(respond: (response: ServerResponse) => void): void;
}

export const HIDDEN_PATH = 'T0-hidden-token';

/** A receiver of notices on loopback; it ends with the test. */
export async function startNoticeReceiver(): Promise<NoticeReceiver> {
  const received: Received[] = [];
  let respond: (response: ServerResponse) => void = (response) => response.end('ok');
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      respond(response);
    });
  });
  const { port } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/${HIDDEN_PATH}`,
    received,
    answer: (next) => (respond = next),
  };
}

interface ReceivedMail {
  readonly encrypted: boolean;
  readonly user: string | null;
  readonly to: readonly string[];
  readonly head: string;
  readonly body: string;
}

interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Users that tried to log in. */
  readonly logins: readonly string[];
}

export const MAIL_USER = 'sync@example.com';
export const MAIL_PASSWORD = 'p@ss/word: hidden';

/** A mail server on loopback with a certificate that nobody knows; it ends with the test. */
export async function startMailServer(
  options: { startTls?: boolean; secure?: boolean; refuses?: string } = {},
): Promise<MailServer> {
  const { startTls = true, secure = false, refuses } = options;
  const mails: ReceivedMail[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    secure,
    logger: false,
    allowInsecureAuth: true,
    authOptional: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onAuth(auth, _session, callback) {
      logins.push(auth.username ?? '');
      if (auth.username === MAIL_USER && auth.password === MAIL_PASSWORD)
        callback(null, { user: auth.username });
      else callback(new Error(`${auth.username} may not, nor with ${auth.password}`));
    },
    onRcptTo(address, _session, callback) {
      callback(address.address === refuses ? new Error(`${address.address} is unknown here`) : null);
    },
    onData(stream, session, callback) {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
      stream.on('end', () => {
        const [head = '', ...rest] = text.split('\r\n\r\n');
        mails.push({
          encrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
          to: session.envelope.rcptTo.map(({ address }) => address),
          head,
          body: rest.join('\r\n\r\n'),
        });
        callback(null);
      });
    },
  });
  // A client that goes away in the middle is part of the tests.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, mails, logins };
}

export const NOTICE: Notice = {
  id: '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b11',
  notice: 'held',
  was: null,
  subject: { entity: 'vacancies' },
  since: '2026-01-01T00:00:00.000Z',
  at: '2026-01-01T00:01:00.000Z',
  reason: 'Half of it is gone.',
  help: 'placement-sync approve vacancies',
  text: 'placement-sync: vacancies is held. Half of it is gone. placement-sync approve vacancies',
  worker: 'host pid 1',
};

export const NEVER = new AbortController().signal;

/** One entity as the state may tell it. */
export const GAUGES: EntityGauges = {
  synced: 5,
  pending: 1,
  invalid: 0,
  rejected: 0,
  waiting: 0,
  deferred: 0,
  vanished: 0,
  held: false,
  lastSuccessAt: '2026-11-01T00:00:00Z',
  oldestPendingAt: null,
};

/** Every name that a query may use: of a histogram its three series. */
export async function metricNames(): Promise<Set<string>> {
  const metrics = createMetrics({
    version: '0.0.0',
    commit: null,
    now: () => 0,
    read: () => Promise.resolve({ entities: { companies: GAUGES }, lastRun: null }),
  });
  const { text } = await metrics.render();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** The names of metrics of ours in a query. */
export function namesIn(query: string): string[] {
  return query.match(/placement_sync_\w+/g) ?? [];
}
