import { expect, test } from 'vitest';
import { isOwnOrigin, namesThisMachine } from '../../../src/runtime/http/own-origin.js';

test.each([
  ['localhost:9090', true],
  ['[::1]:9090', true],
  ['127.0.0.1', true],
  ['127.0.0.1.evil.example', false],
  ['localhost/evil', false],
  ['a@localhost', false],
  [undefined, false],
])('a Host header: %s names this machine: %s', (host, expected) => {
  expect(namesThisMachine(host)).toBe(expected);
});

test.each([
  [{ host: 'h:1', origin: 'http://h:1', secFetchSite: 'same-origin' }, true],
  [{ host: 'h:1', origin: 'https://h:1', secFetchSite: undefined }, true],
  [{ host: 'h:1', origin: undefined, secFetchSite: undefined }, true],
  [{ host: 'h:1', origin: 'http://h:2', secFetchSite: undefined }, false],
  [{ host: 'h:1', origin: 'http://h:1', secFetchSite: 'same-site' }, false],
  [{ host: 'h:1', origin: 'null', secFetchSite: undefined }, false],
])('an origin: %j is our own: %s', (headers, expected) => {
  expect(isOwnOrigin(headers)).toBe(expected);
});
