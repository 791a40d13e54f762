import { describe, expect, it } from 'vitest';
import { parseHttpDate } from '../../../src/domain/reply/reply.js';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('an HTTP date', () => {
  it.each([DATE, 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])('is read from %s', (text) => {
    expect(parseHttpDate(text)).toBe(MOMENT);
  });

  it.each(['', '120 x', '1994-11-06T08:49:37', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 40 Foo 1994 08:49:37 GMT'])(
    'is not read from %j',
    (text) => {
      expect(parseHttpDate(text)).toBeNull();
    },
  );
});
