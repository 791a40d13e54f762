import { expect, test } from 'vitest';
import { withoutStatus } from '../../../src/domain/reply/reply.js';

test.each([
  ['HTTP 500: Server Error', 500, 'Server Error'],
  ['HTTP 500', 500, null],
  ['HTTP 200 was not understood: data is missing', 200, 'not understood: data is missing'],
  ['HTTP 5001 is a text', 500, 'HTTP 5001 is a text'],
  ['HTTP 500: Server Error', 502, 'HTTP 500: Server Error'],
  ['name: is taken', 422, 'name: is taken'],
  ['the connection broke', null, 'the connection broke'],
  [null, 200, null],
])('%o beside the status %o is %o', (reason, statusCode, shown) => {
  expect(withoutStatus(reason, statusCode)).toBe(shown);
});
