import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createCliWorld, SECRET, configureWorker } from '../cli/cli-world.js';
import { listening } from '../cli/run-cli.js';
import { podTemplate } from '../deploy/manifests.js';
import { dialAll, type RawClient } from '../features/http/raw-client.js';
import { deliver, PATH } from '../features/webhook/open-test-webhook.js';

const MIB = 1024 * 1024;
const FLAT = JSON.parse(readFileSync('test/fixtures/webhooks/flat.json', 'utf8')) as object;

/** What the manifest of the long-running worker gives its container. */
const [CONTAINER] = podTemplate('long-running').spec.containers;
const { limits } = CONTAINER.resources as { limits: { memory: string } };
const LIMIT_MIB = Number(/^(\d+)Mi$/.exec(limits.memory)?.[1]);
const { timeoutSeconds, failureThreshold } = CONTAINER.livenessProbe as {
  timeoutSeconds: number;
  failureThreshold: number;
};

/** Whether the kubelet would let the process live. */
async function isAlive(admin: string): Promise<boolean> {
  for (let attempt = 0; attempt < failureThreshold; attempt += 1) {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const answered = await fetch(`${admin}/livez`, { signal }).catch(() => null);
    if (answered?.status === 200) return true;
  }
  return false;
}

/** The most memory that a process has had so far, MiB. */
function peakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The head of a webhook that only its signature gives away. */
function plausibleHead(length: number): string {
  return [
    `POST ${PATH} HTTP/1.1`,
    'Host: partner.example',
    `Content-Length: ${length}`,
    'Client-Id: partner',
    `Request-Id: ${randomUUID()}`,
    `Request-Timestamp: ${new Date().toISOString()}`,
    'Signature: HMACSHA256=46EZi0P3ZZa8AAJUbTTOhyyZ3MjtwGdLXh/wj24VB+0=',
    '\r\n',
  ].join('\r\n');
}

/** Writes to all, and goes on when each has taken it or is cut off. */
async function writeAll(clients: readonly RawClient[], bytes: () => string | Buffer): Promise<void> {
  await Promise.all(
    clients.map(({ socket, ended }) =>
      Promise.race([new Promise((written) => socket.write(bytes(), written)), ended]),
    ),
  );
}

test.runIf(existsSync('/proc/self/status'))(
  `strangers cannot have the worker use the ${LIMIT_MIB} MiB of its manifest, keep probes out or stop webhooks`,
  async () => {
    expect(LIMIT_MIB).toBeGreaterThan(100);
    const world = await createCliWorld();
    configureWorker(world);
    const worker = world.start('start');
    const [admin, webhook] = [await listening(worker, 'admin'), await listening(worker, 'webhook')];
    const [adminPort, webhookPort] = [admin, webhook].map((url) => Number(new URL(url).port)) as [
      number,
      number,
    ];
    const pid = worker.child.pid ?? 0;
    let sent = 0;
    let stored = 0;

    /** What honest callers meet in the meantime. */
    const look = async (what: string): Promise<void> => {
      expect([what, await isAlive(admin)]).toEqual([what, true]);
      sent += 1;
      const reply = await deliver(webhook, { ...FLAT, id: randomUUID() }, { secret: SECRET });
      if (reply.status === 200) stored += 1;
      else expect([what, reply.status, reply.headers.has('retry-after')]).toEqual([what, 503, true]);
      expect([what, peakMib(pid) < LIMIT_MIB]).toEqual([what, true]);
    };
    const attack = async (
      what: string,
      port: number,
      count: number,
      parts: readonly (() => string | Buffer)[],
    ) => {
      const clients = await dialAll(port, count);
      for (const part of parts) {
        await writeAll(clients, part);
        await look(what);
      }
      clients.forEach(({ socket }) => socket.destroy());
    };

    const almost = Buffer.alloc(MIB - 1, 0x20);
    for (const round of [1, 2]) {
      await attack(`bodies without a signature, ${round}`, webhookPort, 200, [
        () => `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`,
        () => almost,
      ]);
      await attack(`bodies with a wrong signature, ${round}`, webhookPort, 200, [
        () => Buffer.concat([Buffer.from(plausibleHead(MIB)), almost]),
        () => ' ',
      ]);
    }
    await attack('half heads', adminPort, 1_000, [
      () => `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(59_000)}`,
    ]);
    for (const [port, path] of [
      [adminPort, '/metrics'],
      [webhookPort, PATH],
    ] as const)
      await attack(`requests without end at ${path}`, port, 100, [
        () => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(3_000),
      ]);

    expect(await world.sql('select count(*)::int as stored from placement_sync.job_application')).toEqual([
      { stored },
    ]);
    // A small body finds room also beside the attack.
    expect(stored).toBe(sent);
    worker.child.kill('SIGTERM');
    expect(await worker.done).toMatchObject({ exitCode: 0 });
  },
  120_000,
);
