import { expect, test } from 'vitest';
import { requestTarget } from '../../src/cli/arguments.js';

test.each([
  ['https://a.example', '/api/v1/x', '/api/v1/x'],
  ['https://a.example/', '/api/v1/x', '/api/v1/x'],
  ['https://a.example/gateway/', '/api/v1/x', '/gateway/api/v1/x'],
  ['https://a.example', '/api/v1/x?page=2#top', '/api/v1/x'],
  ['https://a.example', '/api/v1/a b', '/api/v1/a%20b'],
  ['https://a.example', '//elsewhere/x', '//elsewhere/x'],
])('of %s and %s is %s', (baseUrl, path, target) => {
  expect(requestTarget(baseUrl, path)).toBe(target);
});

test.each(['api/v1/x', 'https://a.example/api/v1/x', ''])('refuses %j, which is no path', (path) => {
  expect(() => requestTarget('https://a.example', path)).toThrow('The path must begin with "/".');
});
