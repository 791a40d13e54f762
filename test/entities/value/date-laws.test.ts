import fc from 'fast-check';
import { expect, test } from 'vitest';
import { platformTimestamp, readRequestTimestamp, requestTimestamp } from '../../../src/contract/time.js';
import { parseHttpDate } from '../../../src/domain/reply/reply.js';
import { date, localTime } from '../../../src/entities/values.js';
import { readWebhookTime } from '../../../src/webhook/receive-webhook.js';

// Run in three zones of the process: none of this may depend on it.

const moment = fc.integer({
  min: Date.parse('0001-01-02T00:00:00Z'),
  max: Date.parse('9999-12-30T00:00:00Z'),
});
const recent = fc.integer({
  min: Date.parse('1970-01-01T00:00:00Z'),
  max: Date.parse('2100-01-01T00:00:00Z'),
});
const iso = (ms: number) => new Date(ms).toISOString();

test('the day of a date is the day that was written, also around every change of the clocks', () => {
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom('', ' 00:00:00', ' 23:59:59.999999', 'T02:30:00', ' 00:00:00-03:30'),
      (ms, time) => {
        const day = iso(ms).slice(0, 10);
        expect(date(`${day}${time}`)).toEqual({ value: day });
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a local time is the time that was written', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom('', '.5', '+07', '-02:30'), (ms, rest) => {
      const value = iso(ms).slice(0, 19).replace('T', ' ');
      expect(localTime(`${value}${rest}`)).toEqual({ value });
    }),
  );
});

test('the platform’s local time is seven hours after UTC', () => {
  fc.assert(
    fc.property(recent, (ms) => {
      const local = iso(ms + 7 * 3_600_000)
        .slice(0, 19)
        .replace('T', ' ');
      expect(platformTimestamp(ms, 'Asia/Jakarta')).toBe(local);
      expect(platformTimestamp(ms, 'UTC')).toBe(iso(ms).slice(0, 19).replace('T', ' '));
    }),
  );
});

test('times of requests, webhooks and HTTP mean the same moment when they are read', () => {
  fc.assert(
    fc.property(recent, (ms) => {
      const seconds = Math.floor(ms / 1_000) * 1_000;
      expect(readRequestTimestamp(requestTimestamp(ms))).toBe(seconds);
      expect(readWebhookTime(requestTimestamp(ms))).toBe(seconds);
      expect(readWebhookTime(iso(ms).replace('Z', '+00:00'))).toBe(ms);
      expect(parseHttpDate(new Date(ms).toUTCString())).toBe(seconds);
    }),
  );
});
