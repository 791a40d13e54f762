import { noticeTitle } from '../domain/compose-notice.js';
import type { Notice } from '../domain/notice.js';
import type { Delivery, Notifier } from '../ports/notifier.js';
import { explainMailError } from './explain-mail-error.js';
import { withinTime } from '../runtime/within-time.js';

/** How long one mail may take, milliseconds. */
const TIMEOUT_MS = 3_500;

export interface MailOptions {
  /** `smtp(s)://user:password@host:port`, user and password percent-encoded or left out. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Whether a host is this very machine. */
  readonly isLoopback: (host: string) => boolean;
}

/**
 * Sends notices by mail, each on a connection of its own. `smtps://` begins with TLS; `smtp://` must change to it by
 * STARTTLS before anything is sent, also user and password. On this same machine TLS is used if it is offered, and its
 * certificate is not checked: nothing leaves the machine.
 */
export function createMailNotifier({ url, from, to, isLoopback }: MailOptions): Notifier {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const local = isLoopback(hostname);
  const host = hostname.replace(/^\[|\]$/g, '');
  const server = {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !local,
    ...(local ? { tls: { rejectUnauthorized: false } } : {}),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    way: 'smtp',
    receiver: new URL(url).host,
    async deliver(notice, signal): Promise<Delivery> {
      // Loaded with the first mail, because most runs send none; before the server's time begins.
      const { createTransport } = await import('nodemailer');
      let timedOut = false;
      try {
        const { rejected } = await withinTime(TIMEOUT_MS, signal, async (limited) => {
          limited.addEventListener('abort', () => (timedOut = !signal.aborted), { once: true });
          return createTransport(server).sendMail({
            from,
            to: [...to],
            subject: noticeTitle(notice),
            text: mailText(notice),
            messageId: `<${notice.id}@placement-sync.invalid>`,
            headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
            signal: limited,
          });
        });
        const count = rejected.length;
        const detail = `it took the mail${count > 0 ? `, but refused ${count} of ${to.length} receivers (see notify.smtp.to)` : ''}`;
        return { kind: 'delivered', detail };
      } catch (error) {
        return explainMailError(error, { timedOut, cutOff: signal.aborted });
      }
    },
  };
}

/** Plain lines, each on its own. Pure. */
function mailText({ subject, notice, was, since, at, reason, help, worker, id }: Notice): string {
  const name =
    subject === null ? null : 'entity' in subject ? `entity ${subject.entity}` : `area ${subject.area}`;
  const facts = [
    ['Notice', was === null ? notice : `${notice} (was: ${was})`],
    ['Subject', name],
    ['Since', since],
    ['Noticed', at],
    ['Worker', worker],
    ['Id', id],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return [reason, ...(help === null ? [] : ['', help]), '', ...facts, ''].join('\n');
}
