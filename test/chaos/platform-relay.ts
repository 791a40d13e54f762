import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { KillSwitch } from './kill-switch.js';
import type { Witness, Witnessed } from './witness.js';

export interface PlatformRelayOptions {
  /** Base address of the platform. */
  readonly target: string;
  readonly killSwitch: KillSwitch;
  readonly witness: Witness;
  /** Whether the record's attempt under this Request-Id is a confirmation that is due. */
  readonly isConfirmation: (requestId: string) => Promise<boolean>;
  /** How long from now on a request may be held back, milliseconds: it is confirmed after that. */
  readonly latestMs: (requestId: string) => Promise<number>;
  /** Does work while the platform processes every request at once. */
  readonly withoutFaults: (work: () => Promise<unknown>) => Promise<void>;
  /** How long the process waits for a reply, milliseconds. */
  readonly timeoutMs: number;
}

export interface PlatformRelay {
  readonly url: string;
  /** Added to every reply, milliseconds. */
  delayMs: number;
  /** Requests that are held back until a newer one of their record was answered. */
  heldBack(): readonly Witnessed[];
  /** Nothing is on its way to the platform any more, but what is held back. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Stands between the process and the platform: the witness of every request and reply, and the hand that kills there. */
export async function startPlatformRelay(options: PlatformRelayOptions): Promise<PlatformRelay> {
  const { killSwitch, witness } = options;
  const late = new Set<Witnessed>();
  let underWay = 0;
  let delayMs = 0;

  const forward = async (seen: Witnessed, incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    underWay += 1;
    try {
      const answer = await pass(options, incoming, body);
      seen.status = answer.status;
      note(witness, seen, answer.body);
      return answer;
    } finally {
      underWay -= 1;
    }
  };

  /** The request of a process that is dead arrives, after a newer one if there is one in time. */
  const arriveLate = async (seen: Witnessed, incoming: IncomingMessage, body: Buffer): Promise<void> => {
    late.add(seen);
    const until = Date.now() + (await options.latestMs(seen.requestId));
    const newer = () =>
      witness.requests.some((one) => one.path === seen.path && one.atMs > seen.atMs && one.status !== null);
    while (!newer() && Date.now() < until) await wait(20);
    await options.withoutFaults(() => forward(seen, incoming, body).catch(() => undefined));
    late.delete(seen);
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(incoming);
    const seen: Witnessed = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      id: (incoming.url ?? '').split('/')[4] ?? '',
      requestId: String(incoming.headers['request-id']),
      body: body.length === 0 ? null : (JSON.parse(body.toString('utf8')) as Record<string, unknown>),
      atMs: Date.now(),
      status: null,
      json: false,
      valid: false,
      passedOn: false,
      slow: false,
    };
    witness.requests.push(seen);
    const isConfirmation = () => options.isConfirmation(seen.requestId);
    const decision = await killSwitch.request(isConfirmation);
    if (decision !== 'pass') {
      await killSwitch.fire();
      if (decision === 'arrives') await forward(seen, incoming, body).catch(() => undefined);
      if (decision === 'late') void arriveLate(seen, incoming, body);
      response.destroy();
      return;
    }
    const answer = await forward(seen, incoming, body).catch(() => null);
    if (answer === null) {
      response.destroy();
      return;
    }
    if (delayMs > 0) await wait(delayMs);
    if (await killSwitch.reply('applied', isConfirmation)) {
      await killSwitch.fire();
      response.destroy();
      return;
    }
    const dies = await killSwitch.reply('replied', isConfirmation);
    if (response.destroyed) return;
    seen.passedOn = true;
    seen.slow = Date.now() - seen.atMs > options.timeoutMs / 2;
    const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
    response.writeHead(answer.status, { ...headers, 'content-length': answer.body.length });
    await new Promise<void>((resolve) => {
      response.once('close', resolve);
      response.end(answer.body, resolve);
    });
    if (dies) await killSwitch.fire();
  };

  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    void serve(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    get delayMs() {
      return delayMs;
    },
    set delayMs(value) {
      delayMs = value;
    },
    heldBack: () => [...late],
    async quiet() {
      while (underWay > 0) await wait(10);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function pass(
  { target, timeoutMs }: PlatformRelayOptions,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  return await new Promise<Answer>((resolve, reject) => {
    const { connection: _, ...headers } = incoming.headers;
    const outgoing = httpRequest(`${target}${incoming.url ?? ''}`, {
      method: incoming.method,
      headers,
      agent: false,
    });
    outgoing.on('error', reject);
    // By then nobody waits for the reply any more.
    outgoing.setTimeout(timeoutMs + 200, () => outgoing.destroy(new Error('no reply')));
    outgoing.on('response', (reply) => {
      readAll(reply).then(
        (bytes) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: bytes }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

function note(witness: Witness, seen: Witnessed, body: Buffer): void {
  let reply: unknown;
  try {
    reply = JSON.parse(body.toString('utf8'));
  } catch {
    return;
  }
  seen.json = true;
  seen.valid = typeof (reply as { data?: unknown } | null)?.data === 'object';
  const reference = (reply as { data?: { reference?: unknown } } | null)?.data?.reference;
  if (typeof reference === 'string' && seen.path.endsWith('/company')) witness.note(reference, seen.id);
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
