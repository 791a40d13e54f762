import { z } from 'zod';
import { RUNBOOK_URL } from '../../domain/trouble/hints.js';
import { choice, duration, secretText, text, timeZone, wholeNumber } from '../setting-types.js';

function cron() {
  return text()
    .regex(
      /^\s*\S+(\s+\S+){4,5}\s*$/,
      'must be a cron expression of five or six fields, such as "*/10 * * * *"',
    )
    .meta({ type: 'a cron expression of five or six fields' });
}

export const scheduleSettings = z
  .strictObject({
    timeZone: timeZone().default('Asia/Jakarta').meta({
      description: `Zone of the schedule. With daylight saving, times within the skipped or repeated hour may be left out; UTC and Asia/Jakarta have none.`,
    }),
    sync: cron().default('*/10 * * * *').meta({ description: `When sweeps begin.` }),
    verify: cron().nullable().default(null).meta({
      description: `When \`start\` reads back a sample of 100 records of each entity, as \`verify\` does, within its own rate. Null: never.`,
    }),
  })
  .prefault({});

function urlPath() {
  // Clients encode other characters, so no request would ever match such a path.
  return text()
    .regex(
      /^\/[\x21-\x7e]*$/,
      'must begin with "/" and be plain characters without blanks; write others percent-encoded, as they are sent',
    )
    .meta({ type: 'a path of an address, beginning with "/"' });
}

export const webhookSettings = z
  .strictObject({
    path: urlPath()
      .regex(/^[^?#]*$/, 'must not contain ? or #: only the path of a request is compared')
      .default('/webhooks/job-applications')
      .meta({ description: `Path of the webhook for job applications.` }),
    signedPath: urlPath().nullable().default(null).meta({
      description: `The path that the platform signs, if a proxy in front changes it.`,
    }),
    secrets: z.array(secretText()).default([]).meta({
      type: 'a list of text',
      secret: 'whole',
      description: `Secrets of the webhook; a signature with any of them counts. Set two while one replaces the other. Empty: no webhook is received.`,
    }),
    tolerance: duration().prefault('5m').meta({
      description: `Maximum difference between a webhook’s time stamp and the clock.`,
    }),
    retention: duration().prefault('180d').meta({ description: `How long applications are kept.` }),
    sql: text().nullable().default(null).meta({
      type: 'a statement of SQL, or its file',
      file: true,
      description: `Your own statement. The worker runs it in the state database with each application that it stores; see docs/webhook.md.`,
    }),
  })
  .transform(({ tolerance, retention, ...rest }) => ({
    ...rest,
    toleranceMs: tolerance,
    retentionMs: retention,
  }))
  .prefault({});

function listener(host: string, port: number, purpose: string) {
  return {
    // Node cannot listen on an IPv6 address in brackets, as web addresses have it.
    host: text()
      .default(host)
      .transform((value) => value.replace(/^\[(.*)\]$/, '$1'))
      .meta({ description: `Address to listen on for ${purpose}.` }),
    port: wholeNumber({ min: 0, max: 65_535 })
      .default(port)
      .meta({ description: `Port to listen on for ${purpose}.` }),
  };
}

export const httpSettings = z
  .strictObject({
    public: z.strictObject(listener('0.0.0.0', 8080, 'the webhook')).prefault({}),
    admin: z
      .strictObject({
        ...listener('127.0.0.1', 9090, 'the dashboard, metrics and probes'),
        token: secretText().nullable().default(null).meta({
          description: `The dashboard asks for it. Without a token, the dashboard exists only while \`http.admin.host\` is an address of this machine alone. Probes and metrics never ask for it.`,
        }),
        runbookUrl: text()
          .regex(/^https?:\/\/[^\s#]+$/, 'must be an address that begins with https:// and has no #')
          .default(RUNBOOK_URL)
          .meta({
            type: 'an address',
            description: `Where the dashboard links to for help with a problem: the address of docs/runbook.md, or of your copy of it. The worker adds \`#\` and the name of a section.`,
          }),
      })
      .prefault({}),
  })
  .prefault({});

export const loggingSettings = z
  .strictObject({
    level: choice(['error', 'warn', 'info', 'debug'])
      .default('info')
      .meta({ description: 'Lowest severity that is logged.', env: 'LOG_LEVEL', example: 'info' }),
    format: choice(['json', 'pretty']).default('json').meta({
      description: '`json`: one object a line, for log collectors. `pretty`: for people.',
      env: 'LOG_FORMAT',
      example: 'json',
    }),
  })
  .prefault({});
