import { expect, it } from 'vitest';
import { timelineLines } from '../../../src/cli/output/print-explanation.js';
import type { TimelineEntry } from '../../../src/sync/explain/explain-record.js';

const entry = (requestId: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  requestId,
  operation: 'putCompany',
  claimedAt: '2026-01-31T18:00:00.000Z',
  answeredAt: '2026-01-31T18:00:01.000Z',
  statusCode: 200,
  outcome: 'accepted',
  reason: null,
  ...more,
});

it('shows each request with its local time, its answer and its Request-Id', () => {
  expect(
    timelineLines(
      [entry('a'), entry('b', { outcome: 'deferred', statusCode: null, reason: 'Not reached' })],
      'Asia/Jakarta',
    ),
  ).toEqual([
    '  2026-02-01 01:00:01  putCompany accepted, HTTP 200 (request a)',
    '  2026-02-01 01:00:01  putCompany deferred, no reply: Not reached (request b)',
  ]);
  expect(timelineLines([], 'UTC')).toEqual(['  none']);
});

it('names the status once', () => {
  const [line] = timelineLines(
    [entry('a', { outcome: 'deferred', statusCode: 503, reason: 'HTTP 503: Server Error' })],
    'UTC',
  );
  expect(line).toContain('putCompany deferred, HTTP 503: Server Error (request a)');
});

it('lists the latest twenty, and says how many there were before', () => {
  const lines = timelineLines(
    Array.from({ length: 23 }, (_, index) => entry(`r${index}`)),
    'UTC',
  );
  expect(lines).toHaveLength(21);
  expect(lines[0]).toContain('3 earlier');
  expect(lines.at(-1)).toContain('r22');
});
