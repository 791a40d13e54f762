import { expect, test } from 'vitest';
import { readTarget } from '../../../src/runtime/http/listener.js';

test.each([
  ['/a?b=c', '/a?b=c', 'here'],
  ['http://there/a?b=c', '/a?b=c', 'there'],
  ['HTTPS://there:8080/a', '/a', 'there:8080'],
  ['http://[::1]:80/a//../b', '/a//../b', '[::1]:80'],
  ['http://there', '/', 'there'],
  ['http://there?b=c', '/?b=c', 'there'],
  ['//there/a', '//there/a', 'here'],
  ['/http://there/a', '/http://there/a', 'here'],
  ['*', '*', 'here'],
])('%s is for the path %s at %s', (target, path, host) => {
  expect(readTarget(target, 'here')).toEqual({ path, host });
});

test.each(['http:///a', 'http://', 'ftp://there/a', 'http://user@there/a', 'http://there\\@here/a'])(
  '%s names no host that can be served',
  (target) => {
    expect(readTarget(target, 'here')).toBeNull();
  },
);
