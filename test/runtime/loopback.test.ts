import { expect, test } from 'vitest';
import { isLoopback, listensOnLoopback } from '../../src/runtime/loopback.js';

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
