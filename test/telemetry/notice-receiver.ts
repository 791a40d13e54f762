import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${HIDDEN_PATH}`,
    received,
    answer: (next) => (respond = next),
  };
}
