import { expect, test } from 'vitest';
import { isLoopback, listensOnLoopback } from '../../src/runtime/loopback.js';

test('a host is this machine by its whole name', () => {
  expect(isLoopback('localhost.')).toBe(true);
  expect(isLoopback('mylocalhost')).toBe(false);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.5', false],
])('an address to listen on: %s is this machine’s alone: %s', (host, expected) => {
  expect(listensOnLoopback(host)).toBe(expected);
});
