import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { SyncEvent, WebhookOutcome } from '../../../src/core/domain/events.js';
import { createLog, logLine, type LogOptions } from '../../../src/cli/output/log.js';

const webhook = (
  outcome: WebhookOutcome,
  message: string | null = null,
  applicationId: string | null = null,
): SyncEvent => ({ type: 'webhook-event', outcome, message, requestId: null, applicationId });

describe('create log', () => {
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

  test('a request about personal data is a line of counts', () => {
    const event = {
      type: 'subject-request',
      request: 'erase',
      receiptId: 'R1',
      rows: { delivery: 2 },
    } as const;
    expect(logLine(event)).toMatchObject({
      level: 'info',
      message: 'Data of one person erased (receipt R1): rows 2 of delivery.',
      fields: { event: 'subject-request', receiptId: 'R1', rows: { delivery: 2 } },
    });
    expect(logLine({ ...event, request: 'export', rows: {} }).message).toContain(
      'exported (receipt R1): rows none.',
    );
  });

  test('a webhook that is stored, repeated or a challenge is told at debug; at info the counts of a minute tell of it', () => {
    const events = (['stored', 'changed', 'repeat', 'answered'] as const).map((outcome) => webhook(outcome));
    const counts: SyncEvent = { type: 'webhooks-received', counts: { stored: 2, 'refused-signature': 1 } };
    expect(logTo({ level: 'debug', format: 'json' }, events)).toHaveLength(4);
    const [line = '', ...more] = logTo({ level: 'info', format: 'json' }, [...events, counts]);
    expect(more).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      event: 'webhooks-received',
      message: '3 webhooks received: 2 stored, 1 refused (signature).',
      counts: { stored: 2, 'refused-signature': 1 },
    });
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

  test('a flood of refused webhooks makes twenty lines a minute, and hides nothing that was not stored; a flood of those is as short', () => {
    const hundred = (outcome: WebhookOutcome): SyncEvent[] =>
      Array.from({ length: 100 }, () => webhook(outcome));
    const flood = hundred('refused-signature');
    let time = 0;
    const lines = logTo({ level: 'info', format: 'pretty', now: () => time }, [
      ...flood,
      ...hundred('storage-failed'),
    ]);
    expect(lines).toHaveLength(42);
    expect(lines[20]).toContain('placement_sync_webhook_events_total');
    expect(lines[21]).toContain('not stored');
    expect(lines[41]).toContain('More unrecognised or unstored webhooks');
    // A minute passes between any two of them.
    const slow = logTo({ level: 'info', format: 'pretty', now: () => (time += 60_000) }, flood);
    expect(slow).toHaveLength(100);
  });
});

describe('log line', () => {
  const progress = { type: 'progress', total: null, perSecond: 0, secondsLeft: null } as const;
  const counted = { accepted: 0, rejected: 0, deferred: 0 };
  const CASES: readonly (readonly [SyncEvent, string, string])[] = [
    [{ type: 'push-started', area: 'jobs', due: 1 }, 'info', 'Job-placement area: one record to send'],
    [
      {
        type: 'mapping-warnings',
        entity: 'vacancies',
        field: 'quota',
        code: 'doubtful',
        count: 1,
        sample: 'v1: quota was rounded to 3',
      },
      'warn',
      'vacancies: one value of quota looks doubtful. v1: quota was rounded to 3',
    ],
    [
      { type: 'stale-row-versions', entity: 'vacancies', count: 1, sampleKeys: ['v1'] },
      'warn',
      'vacancies: one row changed while its row_version did not, for instance v1. Leave row_version out of the query, or fix it.',
    ],
    [{ type: 'push-started', area: 'jobs', due: 12 }, 'info', 'Job-placement area: 12 records to send'],
    [{ type: 'push-started', area: 'training', due: 0 }, 'info', 'Training area: nothing to send'],
    [
      {
        ...progress,
        work: 'Sending',
        done: 50,
        total: 200,
        perSecond: 10,
        secondsLeft: 90,
        elapsedMs: 5_000,
      },
      'info',
      'Sending: 50 of 200, 10/s, 2 min left',
    ],
    [
      { ...progress, work: 'Migrating the state schema', done: 0, elapsedMs: 20_000 },
      'info',
      'Migrating the state schema: running for 20 s',
    ],
    [
      {
        type: 'area-stopped',
        area: 'jobs',
        code: 'authentication-refused',
        message: 'HTTP 401: no',
        hint: 'Check the secret.',
      },
      'error',
      'Job-placement area: sending stopped (authentication-refused): HTTP 401: no',
    ],
    [
      { type: 'lease-taken', lease: 'push', holder: 'host pid 7', secondsLeft: 12, own: false },
      'warn',
      'Another process is running: host pid 7 holds the push lease (valid for 12 s). If that process has died, the lease ends by itself.',
    ],
    [
      { type: 'lease-taken', lease: 'push', holder: 'host pid 7', secondsLeft: 12, own: true },
      'warn',
      'An earlier process with the name of this one (host pid 7) did not release the push lease (valid for 12 s). It ends by itself.',
    ],
    [
      { type: 'worker-standby', holder: 'host pid 7', secondsLeft: 12, own: false },
      'info',
      'Standing by: host pid 7 holds the leases (valid for 12 s). This process takes over when they end.',
    ],
    [
      { type: 'worker-standby', holder: 'host pid 7', secondsLeft: 12, own: true },
      'info',
      'Waiting: an earlier lease under the name of this process (host pid 7) is still valid for 12 s. This process takes over when it ends.',
    ],
    [
      { type: 'worker-stopped', pending: 4, heldBy: 'host pid 7' },
      'info',
      'Stopped. host pid 7 holds the leases and goes on.',
    ],
    [
      { type: 'worker-stopped', pending: 4, heldBy: null },
      'info',
      'Stopped. Outcomes are saved and the leases are free. 4 records are still to be sent; the next start or run sends them.',
    ],
    [
      {
        type: 'push-finished',
        area: 'jobs',
        entities: {
          companies: { ...counted, sent: 12, accepted: 11, rejected: 1 },
          vacancies: { ...counted, sent: 1, deferred: 1 },
        },
      },
      'info',
      'Sent 12 records of companies: 11 accepted, 1 rejected. Sent one record of vacancies: 1 deferred.',
    ],
    [
      {
        type: 'push-progress',
        area: 'jobs',
        entities: { companies: { ...counted, sent: 12, accepted: 12 } },
      },
      'info',
      'Job-placement area: still sending. Sent 12 records of companies: 12 accepted.',
    ],
    [{ type: 'push-finished', area: 'jobs', entities: {} }, 'debug', 'Job-placement area: nothing was sent'],
    [
      { type: 'run-failed', code: 'lease-lost', message: 'gone', hint: undefined },
      'error',
      'The run ends early (lease-lost): gone',
    ],
    [
      webhook('stored', null, '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0'),
      'debug',
      'Webhook with application 1edd9893-f1a3-45dd-89d4-bc4dc9a071d0: stored',
    ],
    [
      webhook('refused-signature', 'Signature is not valid'),
      'warn',
      'Webhook refused: Signature is not valid',
    ],
    [
      webhook('storage-failed', 'The state database is away'),
      'error',
      'Webhook: not stored; the answer asks the platform to send it again: The state database is away',
    ],
  ];

  test.each(CASES)('%o is told at its level in one line', (event, level, message) => {
    expect(logLine(event)).toMatchObject({ level, message, fields: { event: event.type } });
  });

  test('a run that needs no attention ends at info, any other at warn', () => {
    const ended = { type: 'run-finished', runId: 'r', outcome: 'partial', elapsedMs: 1_234 } as const;
    expect(logLine({ ...ended, exitCode: 0 }).level).toBe('info');
    expect(logLine({ ...ended, exitCode: 3 })).toMatchObject({
      level: 'warn',
      message: 'Run r ends: done, some records need correction, exit code 3 (1.2 s)',
    });
  });
});
