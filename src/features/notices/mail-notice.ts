import { noticeTitle } from './compose-notice.js';
import type { Notice } from './next-memory.js';
import type { NoticeDelivery, Notifier } from './notifier.js';
import { isIP, type LookupFunction } from 'node:net';
import { withinTime } from '../../core/runtime/time.js';

interface MailOptions {
  /** `smtp(s)://user:password@host:port`, user and password percent-encoded or left out. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly isLoopback: (host: string) => boolean;
  /** For the addresses of its host's name. Default: those that the library finds. */
  readonly lookup?: LookupFunction | undefined;
}

const TIMEOUT_MS = 3_500;

/**
 * Sends notices by mail, each on a connection of its own. `smtps://` begins with TLS; `smtp://` must change to it by
 * STARTTLS before anything is sent, also user and password. On this same machine TLS is used if it is offered, and its
 * certificate is not checked: nothing leaves the machine.
 */
export function createMailNotifier({ url, from, to, isLoopback, lookup }: MailOptions): Notifier {
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
  /** The library looks names up in its own way, so it gets the address. */
  const found = () =>
    new Promise<object>((resolve, reject) => {
      if (lookup === undefined || isIP(host) !== 0) return resolve({});
      lookup(host, {}, (error, address) => {
        if (error) reject(error);
        else
          resolve({
            host: typeof address === 'string' ? address : host,
            tls: { ...server.tls, servername: host },
          });
      });
    });
  return {
    way: 'smtp',
    receiver: new URL(url).host,
    async deliver(notice, signal): Promise<NoticeDelivery> {
      // Loaded with the first mail, because most runs send none; before the server's time begins.
      const { createTransport } = await import('nodemailer');
      let timedOut = false;
      try {
        const { rejected } = await withinTime(TIMEOUT_MS, signal, async (limited) => {
          limited.addEventListener('abort', () => (timedOut = !signal.aborted), { once: true });
          return createTransport({ ...server, ...(await found()) }).sendMail({
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

/** The server was not reached. Any other end without a status may have come after the message. */
const NEVER = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EDNS|EHOSTUNREACH|ENETUNREACH|EAUTH|ENOAUTH|ETLS)$/;

const TLS = /^ERR_SSL|^EPROTO$/;

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|DEPTH_ZERO/;

const CHECK = 'Check host and port in notify.smtp.url, and that this machine can reach them.';

/**
 * Why a mail was not sent. Codes only: a server's own words may repeat users and addresses.
 * `timedOut`: it took too long; `cutOff`: the process is ending.
 */
function explainMailError(
  error: unknown,
  { timedOut, cutOff }: { readonly timedOut: boolean; readonly cutOff: boolean },
): NoticeDelivery {
  const { code, originalCode, responseCode } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const status = typeof responseCode === 'number' ? responseCode : null;
  const detail =
    typeof originalCode === 'string' ? originalCode : typeof code === 'string' ? code : 'unknown';
  // The library does not report how far it came, so the server may have the message.
  const surely = [code, detail].some(
    (each) => typeof each === 'string' && (NEVER.test(each) || TLS.test(each)),
  );
  const inDoubt = status === null && (timedOut || cutOff || !(surely || CERTIFICATE.test(detail)));
  const failed = (reason: string, hint: string): NoticeDelivery => ({
    kind: 'failed',
    inDoubt,
    reason,
    hint,
  });
  const answer = status === null ? '' : ` (${status})`;
  /** A status of 400 to 499 passes. */
  const byStatus = (whole: string, hint: string): NoticeDelivery =>
    status !== null && status < 500
      ? failed(`the mail server asks to send the mail later${answer}.`, 'See the log of the mail server.')
      : { kind: 'refused', inDoubt: false, reason: `the mail server refused ${whole}${answer}.`, hint };

  if (code === 'EAUTH' || code === 'ENOAUTH')
    return failed(
      `the mail server refused user and password${answer}.`,
      'Check user and password in notify.smtp.url; in both, write special characters percent-encoded (@ is %40).',
    );
  if (code === 'ETLS' || CERTIFICATE.test(detail) || TLS.test(detail)) {
    return CERTIFICATE.test(detail)
      ? failed(
          `the certificate of the mail server is not accepted (${detail}).`,
          'Write the host as the certificate names it. To trust a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file.',
        )
      : failed(
          `the mail server offers no usable TLS${TLS.test(detail) ? ` (${detail})` : answer}.`,
          'smtp:// to another machine needs STARTTLS. Use smtps:// and its port (465), or a mail server on this machine that forwards the mail.',
        );
  }
  if (cutOff) return failed('there was no time left.', CHECK);
  if (timedOut || code === 'ETIMEDOUT') return failed('the mail server gave no answer in time.', CHECK);
  if (code === 'EENVELOPE')
    return byStatus(
      'the sender or every receiver',
      'Check notify.smtp.from and notify.smtp.to, and what the mail server allows this user to send.',
    );
  if (status !== null) return byStatus('the mail', 'See the log of the mail server.');
  if (code === 'EPROTOCOL') return failed(`the mail server does not answer in SMTP (${detail}).`, CHECK);
  if (['ECONNECTION', 'ECONNRESET', 'EPIPE'].includes(detail))
    return failed(`the mail server closed the connection (${detail}).`, CHECK);
  return failed(`the mail server cannot be reached (${detail}).`, CHECK);
}
