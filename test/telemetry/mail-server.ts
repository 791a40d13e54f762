import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  readonly encrypted: boolean;
  readonly user: string | null;
  readonly to: readonly string[];
  readonly head: string;
  readonly body: string;
}

export interface MailServer {
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
