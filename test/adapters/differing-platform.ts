import { createHash, createHmac, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { addCompanies, addVacancies, type CliWorld, createCliWorld, SECRET } from '../cli/cli-world.js';
import { type LoopbackServer, type Received, startLoopbackServer } from '../core/platform/servers.js';

/**
 * A platform that differs from the interface: a real server before the sandbox, which knows the interface only. It takes the
 * request in its own form, hands it on in the usual one, and gives the reply in its own form again.
 */

export interface PlatformAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Difference {
  /** Takes the request apart; an answer refuses it. Default: it is as the interface has it. */
  readonly takes?: (request: Received) => PlatformAnswer | undefined;
  /** The address and body of the interface, where those of the request are others. */
  readonly reads?: (request: Received) => Partial<Pick<Received, 'url' | 'body'>>;
  /** Changes what the sandbox answers. */
  readonly gives?: (answer: PlatformAnswer, request: Received) => void;
  /** Answers instead of the sandbox, for addresses of its own. */
  readonly serves?: (request: Received) => PlatformAnswer | undefined;
}

export function jsonAnswer(status: number, body: unknown): PlatformAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

export interface DifferingWorld extends CliWorld {
  readonly platform: LoopbackServer;
  /** Changes what differs. */
  differ(difference: Difference): void;
  /** Names of what the platform holds. */
  held(): string[];
  /** Puts that the platform took. */
  puts(): number;
}

/** A partner with three companies and two vacancies before such a platform, and an adapter of this text, if any. */
export async function differingWorld(
  difference: Difference,
  adapter: string | null,
): Promise<DifferingWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  let now = difference;
  const platform = await startLoopbackServer((response, _socket, request) => {
    void answer(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  onTestFinished(() => platform.close());

  async function answer(request: Received): Promise<PlatformAnswer> {
    const own = now.serves?.(request) ?? now.takes?.(request);
    if (own !== undefined) return own;
    const { url, body } = { ...request, ...now.reads?.(request) };
    const given = await fetch(world.sandbox.url + url, {
      method: request.method,
      headers: usualHeaders({ url, body }),
      ...(body === '' ? {} : { body }),
    });
    const answer = jsonAnswer(given.status, {});
    answer.body = await given.text();
    now.gives?.(answer, request);
    return answer;
  }

  world.configure('entities:', 'retry: { baseDelay: 1ms, maxDelay: 10ms, breakerAfter: 2 }\nentities:');
  world.env.BASE_URL = `http://127.0.0.1:${platform.port}`;
  if (adapter !== null) {
    world.write('adapter.mjs', adapter);
    world.configure('platform:', 'platform:\n  adapter: adapter.mjs');
  }
  return {
    ...world,
    platform,
    differ(difference) {
      now = difference;
    },
    puts: () => world.sandbox.requests().filter(({ method }) => method === 'PUT').length,
    held: () =>
      ['companies', 'vacancies']
        .flatMap((kind) => world.sandbox.records('jobs', kind))
        .map(({ body }) => {
          const { name, title } = body as { name?: string; title?: string };
          return name ?? title ?? '';
        })
        .sort(),
  };
}

export const WHOLE = ['Company 1', 'Company 2', 'Company 3', 'Vacancy 1', 'Vacancy 2'];

/** Signed anew as the interface says, because the difference may be the signature. */
function usualHeaders({ url, body }: Pick<Received, 'url' | 'body'>): Record<string, string> {
  const signed = {
    'Client-Id': 'sandbox-client',
    'Request-Id': randomUUID(),
    'Request-Timestamp': new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  };
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}`);
  lines.push(`Request-Target:${url}`);
  if (body !== '') lines.push(`Digest:${createHash('sha256').update(body).digest('base64')}`);
  const signature = createHmac('sha256', SECRET).update(lines.join('\n')).digest('base64');
  return {
    ...signed,
    Accept: 'application/json',
    Signature: `HMACSHA256=${signature}`,
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
  };
}
