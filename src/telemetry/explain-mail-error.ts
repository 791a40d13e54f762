import type { Delivery } from '../ports/notifier.js';

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|DEPTH_ZERO/;
const TLS = /^ERR_SSL|^EPROTO$/;
/** The server was not reached. Any other end without a status may have come after the message. */
const NEVER = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EDNS|EHOSTUNREACH|ENETUNREACH|EAUTH|ENOAUTH|ETLS)$/;
const CHECK = 'Check host and port in notify.smtp.url, and that this machine can reach them.';

interface MailError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly responseCode?: unknown;
}

/**
 * Why a mail was not sent. Codes only: a server's own words may repeat users and addresses. Pure.
 * `timedOut`: it took too long; `cutOff`: the process is ending.
 */
export function explainMailError(
  error: unknown,
  { timedOut, cutOff }: { readonly timedOut: boolean; readonly cutOff: boolean },
): Delivery {
  const { code, originalCode, responseCode } = (error ?? {}) as MailError;
  const status = typeof responseCode === 'number' ? responseCode : null;
  const detail =
    typeof originalCode === 'string' ? originalCode : typeof code === 'string' ? code : 'unknown';
  // The library does not report how far it came, so the server may have the message.
  const surely = [code, detail].some(
    (each) => typeof each === 'string' && (NEVER.test(each) || TLS.test(each)),
  );
  const inDoubt = status === null && (timedOut || cutOff || !(surely || CERTIFICATE.test(detail)));
  const failed = (reason: string, hint: string): Delivery => ({ kind: 'failed', inDoubt, reason, hint });
  const refused = (reason: string, hint: string): Delivery => ({
    kind: 'refused',
    inDoubt: false,
    reason,
    hint,
  });
  const answer = status === null ? '' : ` (${status})`;

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
    return status !== null && status < 500
      ? failed(`the mail server asks to send the mail later${answer}.`, 'See the log of the mail server.')
      : refused(
          `the mail server refused the sender or every receiver${answer}.`,
          'Check notify.smtp.from and notify.smtp.to, and what the mail server allows this user to send.',
        );
  if (status !== null)
    return status < 500
      ? failed(`the mail server asks to send the mail later${answer}.`, 'See the log of the mail server.')
      : refused(`the mail server refused the mail${answer}.`, 'See the log of the mail server.');
  if (code === 'EPROTOCOL') return failed(`the mail server does not answer in SMTP (${detail}).`, CHECK);
  if (['ECONNECTION', 'ECONNRESET', 'EPIPE'].includes(detail))
    return failed(`the mail server closed the connection (${detail}).`, CHECK);
  return failed(`the mail server cannot be reached (${detail}).`, CHECK);
}
