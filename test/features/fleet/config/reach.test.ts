import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createReach, isNetwork } from '../../../../src/features/fleet/config/reach.js';
import { createMailNotifier } from '../../../../src/features/notices/mail-notice.js';
import { createPostNotifier } from '../../../../src/features/notices/post-notice.js';

const nowhere = createReach([]);

describe('an address that is written out', () => {
  it.each([
    ...[
      '127.0.0.1',
      '127.9.9.9',
      '0.0.0.0',
      '169.254.169.254',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
    ],
    ...[
      '255.255.255.255',
      '224.0.0.1',
      '[::1]',
      '[::]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[::ffff:127.0.0.1]',
    ],
    ...[
      '[::ffff:a9fe:a9fe]',
      '[::ffff:10.0.0.1]',
      'localhost',
      'localhost.',
      'a.localhost',
      '::1',
      'fe80::1%eth0',
    ],
  ])('%s is refused', (host) => {
    expect(nowhere.refusedHost(host)).not.toBeNull();
  });

  it.each(['http://2130706433', 'http://0x7f.1', 'http://0177.0.0.1', 'http://127.1', 'http://0'])(
    '%s is refused, as every spelling',
    (address) => {
      expect(nowhere.refusedHost(new URL(address).hostname)).not.toBeNull();
    },
  );

  it.each(['8.8.8.8', '[2001:4860:4860::8888]', '[::ffff:8.8.8.8]', 'jobs.example', '172.32.0.1'])(
    '%s is not',
    (host) => {
      expect(nowhere.refusedHost(host)).toBeNull();
    },
  );

  it('is allowed by the list, and by nothing near it', () => {
    const reach = createReach(['10.20.0.0/16', '127.0.0.0/8', 'fd00:1::/32']);
    for (const host of ['10.20.3.4', '127.0.0.1', '[fd00:1::5]']) expect(reach.refusedHost(host)).toBeNull();
    for (const host of ['10.21.0.1', '[::1]', '169.254.1.1']) expect(reach.refusedHost(host)).not.toBeNull();
  });
});

it('a network is an address with or without its bits', () => {
  const known = ['10.0.0.0/8', '10.1.2.3', '::1', 'fd00::/8'];
  const wrong = [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    'jobs.example',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::1/129',
    '10.0.0.0/-1',
  ];
  expect([known.every(isNetwork), wrong.some(isNetwork)]).toEqual([true, false]);
});

const notice = {
  ...{
    id: 'i',
    notice: 'test',
    subject: null,
    was: null,
    since: 's',
    at: 'a',
    reason: 'r',
    help: null,
    worker: 'w',
  },
} as never;

describe('a name', () => {
  it('that leads to this machine is refused when it is looked up, for notices by http and by mail', async () => {
    let calls = 0;
    const server = createServer((_, reply) => {
      calls += 1;
      reply.end();
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const post = (lookup?: typeof nowhere.lookup) =>
      createPostNotifier({
        url: `http://localhost:${port}/`,
        secret: null,
        version: '1',
        now: () => 0,
        lookup,
      });
    const signal = new AbortController().signal;
    expect(await post(nowhere.lookup).deliver(notice, signal)).toMatchObject({
      kind: 'failed',
      reason: 'it cannot be reached (ERR_NETWORK_NOT_ALLOWED).',
    });
    const mail = createMailNotifier({
      ...{
        url: `smtp://localhost:${port}`,
        from: 'a@b.example',
        to: ['c@d.example'],
        isLoopback: () => true,
      },
      lookup: nowhere.lookup,
    });
    expect(await mail.deliver(notice, signal)).toMatchObject({ kind: 'failed' });
    expect(calls).toBe(0);
    expect(await post(createReach(['127.0.0.0/8', '::1']).lookup).deliver(notice, signal)).toMatchObject({
      kind: 'delivered',
    });
    expect(calls).toBe(1);
  });
});
