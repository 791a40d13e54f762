import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { SyncEvent, WebhookOutcome } from '../../src/domain/events.js';
import { createLog, type LogOptions } from '../../src/telemetry/log.js';

function logTo(
  options: Pick<LogOptions, 'level' | 'format' | 'now'>,
  events: readonly SyncEvent[],
): string[] {
  const stream = new PassThrough();
  const log = createLog({ ...options, stream });
  events.forEach((event) => log(event));
  const text = (stream.read() as Buffer | null)?.toString('utf8') ?? '';
  return text.split('\n').filter((line) => line !== '');
}

const refused = (key: string): SyncEvent => ({
  type: 'record-sent',
  area: 'jobs',
  entity: 'companies',
  key,
  outcome: 'refused',
  statusCode: 422,
  message: 'no',
});

test('a JSON line has time, level, message, event and its fields', () => {
  const [line = ''] = logTo({ level: 'info', format: 'json' }, [
    { type: 'push-started', area: 'jobs', due: 3 },
  ]);
  expect(JSON.parse(line)).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    level: 'info',
    message: 'Job-placement area: 3 records to send',
    event: 'push-started',
    area: 'jobs',
    due: 3,
  });
});

test('a program gets message and hint apart, a person both in one line', () => {
  const failed: SyncEvent = { type: 'run-failed', code: 'lease-lost', message: 'gone', hint: 'Look.' };
  const [line = ''] = logTo({ level: 'warn', format: 'json' }, [failed]);
  expect(JSON.parse(line)).toMatchObject({
    message: 'The run ends early (lease-lost): gone',
    hint: 'Look.',
    code: 'lease-lost',
  });
  const [pretty = ''] = logTo({ level: 'warn', format: 'pretty' }, [failed]);
  expect(pretty).toMatch(/error The run ends early \(lease-lost\): gone\. Look\.$/);
});

test('what is below the level is not written', () => {
  const events: SyncEvent[] = [
    { type: 'push-started', area: 'jobs', due: 3 },
    { type: 'record-invalid', entity: 'companies', key: 'c', message: 'x' },
    refused('c1'),
  ];
  expect(logTo({ level: 'error', format: 'pretty' }, events)).toEqual([]);
  expect(logTo({ level: 'warn', format: 'pretty' }, events)).toHaveLength(1);
  expect(logTo({ level: 'debug', format: 'pretty' }, events)).toHaveLength(3);
});

test('a thousand rejections make twenty lines and one that says so, again in every run', () => {
  const run: SyncEvent[] = [
    { type: 'run-started', runId: 'r', entities: ['companies'] },
    ...Array.from({ length: 1_000 }, (_, index) => refused(`c${String(index)}`)),
  ];
  expect(logTo({ level: 'warn', format: 'pretty' }, run)).toHaveLength(21);
  expect(logTo({ level: 'warn', format: 'pretty' }, [...run, ...run])).toHaveLength(42);
});

test('what a key holds is no command to a terminal, and begins no line of the log', () => {
  const key = 'a\u001b[2J\u009b31m\u202eb\r\n12:00:00 error forged';
  const lines = logTo({ level: 'warn', format: 'pretty' }, [refused(key)]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('companies a\\u001b[2J\\u009b31m\\u202eb\\u000d');
  expect(lines[1]).toMatch(/^ {2}12:00:00 error forged/);
});

test('a flood of refused webhooks makes twenty lines a minute, and what is stored is told all the same', () => {
  const webhook = (outcome: WebhookOutcome): SyncEvent => ({
    type: 'webhook-event',
    outcome,
    message: null,
    requestId: null,
    applicationId: null,
  });
  const flood: SyncEvent[] = Array.from({ length: 100 }, () => webhook('refused-signature'));
  let time = 0;
  const lines = logTo({ level: 'info', format: 'pretty', now: () => time }, [...flood, webhook('stored')]);
  expect(lines).toHaveLength(22);
  expect(lines[20]).toContain('placement_sync_webhook_events_total');
  expect(lines[21]).toContain('stored');
  // A minute passes between any two of them.
  const slow = logTo({ level: 'info', format: 'pretty', now: () => (time += 60_000) }, flood);
  expect(slow).toHaveLength(100);
});
