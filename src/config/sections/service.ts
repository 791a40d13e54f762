import { z } from 'zod';
import { choice, duration, secretText, text, timeZone, wholeNumber } from '../setting-types.js';

/** Said of settings that are part of the configuration's language but have nothing behind them yet. */
const LATER = 'Used from a later version.';

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
    timeZone: timeZone().default('Asia/Jakarta').meta({ description: `Zone of the schedule.` }),
    sync: cron().default('*/10 * * * *').meta({ description: `When sweeps begin.` }),
    verify: cron()
      .nullable()
      .default(null)
      .meta({ description: `When records are read back. Null: never. ${LATER}` }),
  })
  .prefault({});

function urlPath() {
  return text()
    .regex(/^\/\S*$/, 'must begin with "/"')
    .meta({ type: 'a path of an address, beginning with "/"' });
}

export const webhookSettings = z
  .strictObject({
    path: urlPath()
      .regex(/^[^?#]*$/, 'must have neither ? nor #: it is compared with the path alone')
      .default('/webhooks/job-applications')
      .meta({ description: `Path at which job applications are received.` }),
    signedPath: urlPath().nullable().default(null).meta({
      description: `The path that the platform signs, where a proxy in front changes it.`,
    }),
    secrets: z.array(secretText()).default([]).meta({
      type: 'a list of text',
      secret: 'whole',
      description: `Secrets of which any may have signed a webhook; two while one replaces the other. Empty: none is received.`,
    }),
    tolerance: duration().prefault('5m').meta({
      description: `Most that a webhook’s time stamp may differ from the clock.`,
    }),
    retention: duration().prefault('180d').meta({ description: `How long applications are kept.` }),
    sql: text().nullable().default(null).meta({
      type: 'a statement of SQL, or its file',
      description: `A statement of your own, carried out in the state database with each application that is stored; see docs/webhook.md.`,
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
    host: text()
      .default(host)
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
          description: `Asked of whoever opens the dashboard. Without it the dashboard is there only while \`http.admin.host\` is an address of this machine alone; probes and metrics never ask for it.`,
        }),
      })
      .prefault({}),
  })
  .prefault({});

const smtp = z
  .strictObject({
    url: secretText(),
    from: text(),
    to: z.array(text()).min(1, 'must name at least one address'),
  })
  .nullable()
  .default(null)
  .meta({
    type: 'a block { url, from, to }',
    secret: 'whole',
    description: `Mail server and addresses of notices. ${LATER}`,
  });

export const notifySettings = z
  .strictObject({
    url: text()
      .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'must be an http(s):// address')
      .nullable()
      .default(null)
      .meta({ type: 'an address', secret: 'whole', description: `Receives notices as JSON. ${LATER}` }),
    smtp,
    staleAfter: duration()
      .prefault('1h')
      .meta({
        description: `An entity without success for this long is stale. ${LATER}`,
      }),
    on: z
      .array(choice(['held', 'auth-refused', 'stale', 'recovered']))
      .default(['held', 'auth-refused', 'stale', 'recovered'])
      .meta({
        type: 'a list of held, auth-refused, stale, recovered',
        description: `What is told. ${LATER}`,
      }),
  })
  .transform(({ staleAfter, ...rest }) => ({ ...rest, staleAfterMs: staleAfter }))
  .prefault({});

export const loggingSettings = z
  .strictObject({
    level: choice(['error', 'warn', 'info', 'debug'])
      .default('info')
      .meta({ description: 'Least severity logged.', env: 'LOG_LEVEL', example: 'info' }),
    format: choice(['json', 'pretty']).default('json').meta({
      description: '`json`: one object a line, for log collectors. `pretty`: for people.',
      env: 'LOG_FORMAT',
      example: 'json',
    }),
  })
  .prefault({});
