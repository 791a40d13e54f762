import { z } from 'zod';
import { KEEPS } from '../../domain/keep.js';
import { NOTICE_KINDS } from '../../domain/notice.js';
import { choice, duration, flag, secretText, text, timeZone, wholeNumber } from '../schema-walk.js';

/** The blocks of `start`: schedule, webhook, listeners, log and notices. */

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
    spread: flag().default(true).meta({
      description: `Whether \`start\` begins later than the two times above by an offset that comes from the client id, so that not all partners ask the platform at once. It is always the same, less than the time between two sweeps, and less than ten minutes; \`status\` says it.`,
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
    keep: choice(KEEPS).default('columns').meta({
      description: `What stays of an application in the inbox. \`body\`: its columns and the body as sent. \`columns\`: the columns. \`minimal\`: no personal data, only ids, vacancy, layout and times. What goes, goes once a trigger of yours has run with the application; from applications that are stored already too, at the next deletion. Events that were not recognised keep their body.`,
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

const pageToken = z
  .strictObject({
    name: text().regex(/^[^\x00-\x1f\x7f]{1,60}$/, 'must be one line of at most 60 characters'),
    token: secretText(),
    role: choice(['look', 'act']),
  })
  .meta({ type: 'a block { name, token, role }' });

/** The name of `http.admin.token` among the named ones. */
export const UNNAMED_TOKEN = 'token';

interface Admission {
  readonly token: string | null;
  readonly tokens: readonly { readonly name: string; readonly token: string }[];
}

/** What two of these settings say together; null: it is right. */
function admissionProblem({ token, tokens }: Admission) {
  const all = [...(token === null ? [] : [{ name: UNNAMED_TOKEN, token }]), ...tokens];
  if (new Set(all.map(({ name }) => name)).size < all.length)
    return {
      path: 'tokens',
      message: `must have different names; http.admin.token is named ${UNNAMED_TOKEN}`,
    };
  if (new Set(all.map((one) => one.token)).size < all.length)
    return { path: 'tokens', message: 'must have different tokens, because a token says who somebody is' };
  return null;
}

export const httpSettings = z
  .strictObject({
    public: z.strictObject(listener('0.0.0.0', 8080, 'the webhook')).prefault({}),
    admin: z
      .strictObject({
        ...listener('127.0.0.1', 9090, 'the dashboard, probes and, without `http.metrics`, metrics'),
        token: secretText().nullable().default(null).meta({
          description: `The dashboard asks for it. Without a token, the dashboard exists only while \`http.admin.host\` is an address of this machine alone. Probes and metrics never ask for it. It may do everything; its name is \`token\`.`,
        }),
        tokens: z.array(pageToken).default([]).meta({
          type: 'a list of { name, token, role }',
          description: `Tokens with a name, for the list of actions, and a role: \`look\` sees the pages, \`act\` also has their buttons.`,
        }),
        runbookUrl: text()
          .regex(/^https?:\/\/[^\s#]+$/, 'must be an address that begins with https:// and has no #')
          .nullable()
          .default(null)
          .meta({
            type: 'an address',
            description: `Your copy of docs/operate.md, to which the dashboard links for help with a problem; the worker adds \`#\` and the name of a section. Null: it shows the command that prints the section, \`placement-sync help runbook SECTION\`.`,
          }),
      })
      .superRefine((admin, context) => {
        const problem = admissionProblem(admin);
        if (problem !== null)
          context.addIssue({ code: 'custom', path: [problem.path], message: problem.message });
      })
      .prefault({}),
    metrics: z
      .strictObject(listener('127.0.0.1', 9091, 'metrics'))
      .nullable()
      .default(null)
      .meta({
        type: 'a block { host, port }',
        description: `A listener of its own for metrics (\`host\`: 127.0.0.1, \`port\`: 9091, unless set): \`/metrics\` and the probes, without login and without pages. \`http.admin\` then has no \`/metrics\`, and still has the probes. So a network policy lets Prometheus in and keeps it from the pages. Null: the metrics are on \`http.admin\`.`,
      }),
  })
  .superRefine(({ admin, metrics, ...http }, context) => {
    // 0: any free port.
    if (metrics === null || metrics.port === 0) return;
    const other = metrics.port === admin.port ? 'admin' : metrics.port === http.public.port ? 'public' : null;
    if (other === null) return;
    const message = `must have another port than http.${other} (${metrics.port})`;
    context.addIssue({ code: 'custom', path: ['metrics'], message });
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

const ADDRESS = '[^\\s@<>,;:"\\x00-\\x1f\\x7f]+@[^\\s@<>,;:"\\x00-\\x1f\\x7f]+';
const TO = new RegExp(`^${ADDRESS}$`);
const FROM = new RegExp(`^(${ADDRESS}|[^\\x00-\\x1f\\x7f<>,;:"@]+ <${ADDRESS}>)$`);

const smtp = z
  .strictObject({
    url: z
      .string()
      .refine(
        isMailServer,
        'must be an address such as smtp://user:password@mail.example.com:587 or smtps://…:465; in the password, write special characters percent-encoded',
      )
      .meta({ secret: 'address' }),
    from: z
      .string()
      .regex(FROM, 'must be an e-mail address, or a name with one: placement-sync <sync@example.com>'),
    to: z.array(z.string().regex(TO, 'must be an e-mail address')).min(1, 'must name at least one address'),
  })
  .nullable()
  .default(null)
  .meta({
    type: 'a block { url, from, to }',
    secret: 'whole',
    description: `Mail server, sender and list of receivers of notices. \`smtp://\` changes to TLS by STARTTLS; \`smtps://\` uses TLS from the start.`,
  });

/** The notices for people without a monitoring stack, and how they are sent. */
export const notifySettings = z
  .strictObject({
    url: z
      .string()
      .refine(isWebAddress, 'must be an https:// address without user and password')
      .nullable()
      .default(null)
      .meta({
        type: 'an address',
        secret: 'whole',
        description: `Receives each notice as JSON by POST; see docs/watch.md.`,
      }),
    secret: secretText().nullable().default(null).meta({
      description: `Signs the notices to \`url\` (HMAC-SHA256), which needs it, unless that is on this machine. Write null for a receiver that checks no signature.`,
    }),
    smtp,
    staleAfter: duration().prefault('1h').meta({
      description: `An entity without success for this long is stale. Choose more than the time between two sweeps.`,
    }),
    on: z
      .array(choice(NOTICE_KINDS))
      .default([...NOTICE_KINDS])
      .meta({
        type: `a list of ${NOTICE_KINDS.join(', ')}`,
        description: `Which notices are sent: an entity is held, an area refuses the credentials, an entity is stale, the webhook refuses what it receives, the platform took down what it had accepted, nothing is sent to an area, an entity could not be read, the platform rejects many records of an entity, many are invalid or wait for a parent in vain, and the end of each of these.`,
      }),
  })
  .transform(({ staleAfter, ...rest }) => ({ ...rest, staleAfterMs: staleAfter }))
  .prefault({});

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/** Scheme, host and port only, with user and password or neither. */
function isMailServer(value: string): boolean {
  if (!/^smtps?:\/\/\S+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname, pathname, search, hash } = new URL(value);
  try {
    const decoded = decodeURIComponent(username) + decodeURIComponent(password);
    if (/[\x00-\x1f\x7f]/.test(decoded)) return false;
  } catch {
    return false;
  }
  const bare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return hostname !== '' && bare && (username === '') === (password === '');
}
