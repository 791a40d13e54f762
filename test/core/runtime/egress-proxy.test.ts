import { describe, expect, it, test } from 'vitest';
import { bypassesProxy, egressProxy } from '../../../src/core/runtime/egress-proxy.js';
import { isLoopback, listensOnLoopback } from '../../../src/core/runtime/loopback.js';

const HTTPS = new URL('https://sandbox.platform.example');
const HTTP = new URL('http://platform.example:8080');

describe('the proxy for an address', () => {
  it.each<[string, URL, Record<string, string>, string | null]>([
    ['none without variables', HTTPS, {}, null],
    [
      'HTTPS_PROXY for https://',
      HTTPS,
      { HTTPS_PROXY: 'http://p.example:3128', HTTP_PROXY: 'http://q' },
      'http://p.example:3128 HTTPS_PROXY',
    ],
    [
      'HTTP_PROXY for http://',
      HTTP,
      { HTTPS_PROXY: 'http://p', HTTP_PROXY: 'http://q:81' },
      'http://q:81 HTTP_PROXY',
    ],
    ['lower case first', HTTPS, { HTTPS_PROXY: 'http://p', https_proxy: 'http://q' }, 'http://q https_proxy'],
    [
      'upper case when the other is empty',
      HTTPS,
      { https_proxy: ' ', HTTPS_PROXY: 'http://p' },
      'http://p HTTPS_PROXY',
    ],
    [
      'plain HTTP without a scheme',
      HTTPS,
      { HTTPS_PROXY: 'p.example:3128' },
      'http://p.example:3128 HTTPS_PROXY',
    ],
    ['a proxy that speaks TLS', HTTPS, { HTTPS_PROXY: 'https://p.example' }, 'https://p.example HTTPS_PROXY'],
    ['none by NO_PROXY', HTTPS, { HTTPS_PROXY: 'http://p', NO_PROXY: 'platform.example' }, null],
    ['none by no_proxy', HTTPS, { HTTPS_PROXY: 'http://p', no_proxy: 'platform.example' }, null],
    ['none for this machine', new URL('http://127.0.0.1:4010'), { HTTP_PROXY: 'http://p' }, null],
    ['none for localhost', new URL('https://localhost'), { HTTPS_PROXY: 'http://p' }, null],
    ['none for ::1', new URL('http://[::1]:1'), { HTTP_PROXY: 'http://p' }, null],
  ])('is %s', (_, target, env, expected) => {
    const found = egressProxy(target, { setting: null, env });
    expect(found && 'address' in found ? `${found.address} ${found.namedBy}` : found).toBe(expected);
  });

  it('is that of the setting, whatever the environment says, also for this machine', () => {
    const setting = { name: 'platform.proxy', value: 'http://me:a%40b@p.example:3128' };
    const env = { HTTP_PROXY: 'http://q', NO_PROXY: '*' };
    expect(egressProxy(new URL('http://127.0.0.1'), { setting, env })).toEqual({
      address: 'http://p.example:3128',
      authorization: `Basic ${Buffer.from('me:a@b').toString('base64')}`,
      namedBy: 'platform.proxy',
    });
  });

  it('keeps a % in a password that encodes nothing', () => {
    const found = egressProxy(HTTPS, { setting: null, env: { HTTPS_PROXY: 'http://me:50%@p' } });
    expect(found).toMatchObject({ authorization: `Basic ${Buffer.from('me:50%').toString('base64')}` });
  });

  it.each(['socks5://p.example:1080', 'http://', 'http://p example', 'http://p:99999'])(
    'is wrong: %s',
    (value) => {
      expect(egressProxy(HTTPS, { setting: null, env: { HTTPS_PROXY: value } })).toEqual({
        name: 'HTTPS_PROXY',
        problem: 'must be an address such as http://proxy.example:3128',
      });
    },
  );
});

describe('NO_PROXY', () => {
  it.each([
    ['*', 'https://any.example', true],
    ['a.example, *', 'https://any.example', true],
    ['platform.example', 'https://platform.example', true],
    ['platform.example', 'https://sandbox.platform.example', true],
    ['.platform.example', 'https://sandbox.platform.example', true],
    ['*.platform.example', 'https://sandbox.platform.example', true],
    ['PLATFORM.example.', 'https://Platform.Example', true],
    ['platform.example', 'https://myplatform.example', false],
    ['sandbox.platform.example', 'https://platform.example', false],
    ['platform.example:443', 'https://platform.example', true],
    ['platform.example:8443', 'https://platform.example', false],
    ['platform.example:80', 'http://platform.example', true],
    ['a.example b.example', 'http://b.example', true],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.3:444', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/8', 'https://ten.example', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['2.3', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd12:0::1', 'https://[fd12::1]', true],
    ['[fd12::1]:443', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://10.1.2.3', false],
    ['', 'https://platform.example', false],
    [' , ,', 'https://platform.example', false],
    ['.', 'https://platform.example', false],
  ])('%j takes %s out: %s', (noProxy, target, expected) => {
    expect(bypassesProxy(new URL(target), noProxy)).toBe(expected);
  });
});

describe('loopback', () => {
  test('a host is this machine by its whole name', () => {
    expect(isLoopback('localhost.')).toBe(true);
    expect(isLoopback('mylocalhost')).toBe(false);
  });

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['::ffff:10.0.0.5', false],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.5', false],
  ])('an address to listen on: %s is this machine’s alone: %s', (host, expected) => {
    expect(listensOnLoopback(host)).toBe(expected);
  });

  test.each([
    ['http://[::1]/', true],
    ['http://[0:0:0:0:0:0:0:1]/', true],
    ['http://[::ffff:127.0.0.1]/', true],
    ['http://[::ffff:7f01:203]/', true],
    ['http://[::ffff:10.0.0.1]/', false],
    ['http://[::ffff:8000:1]/', false],
    ['http://[::]/', false],
    ['http://[fe80::1]/', false],
  ])('takes %s for this machine: %s', (address, expected) => {
    expect(isLoopback(new URL(address).hostname)).toBe(expected);
  });
});
