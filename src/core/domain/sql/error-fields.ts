import { SyncError } from '../errors.js';
import { oneLineUpTo } from '../reply/reply.js';

/** Longer than any message of Postgres itself; a statement of the partner may raise one of any length. */
const LONGEST_MESSAGE = 1_000;

/** What pg puts into its errors. */
interface ErrorFields {
  readonly code?: string;
  readonly message: string;
  readonly severity?: string;
  readonly routine?: string;
  readonly position?: string;
}

/**
 * The message of a database as text from outside: on one line, and cut. Servers, views and functions of a partner write
 * what they like, and it is stored, logged and shown.
 */
export function databaseMessage(message: string): string {
  return oneLineUpTo(LONGEST_MESSAGE, message);
}

/** An attempt on several addresses fails with a list of errors and no message of its own. */
export function errorFields(error: unknown): ErrorFields {
  const fields = error as Partial<ErrorFields> & { readonly errors?: readonly unknown[] };
  const message = fields.message ?? String(error);
  if (message === '' && fields.errors?.[0] !== undefined) return errorFields(fields.errors[0]);
  return { ...pick(fields), message: databaseMessage(message || (fields.code ?? 'unknown error')) };
}

function pick({ code, severity, routine, position }: Partial<ErrorFields>): Partial<ErrorFields> {
  return {
    ...(code === undefined ? {} : { code }),
    ...(severity === undefined ? {} : { severity }),
    ...(routine === undefined ? {} : { routine }),
    ...(position === undefined ? {} : { position }),
  };
}

const CONNECT_HINTS: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in source.url.',
  '28000': 'Check the user in source.url, and pg_hba.conf of the server.',
  '3D000': 'Check the name of the database in source.url.',
  '53300':
    'No connection is free: lower source.poolMax and state.poolMax, or raise the CONNECTION LIMIT of the role or max_connections of the server.',
  '57P03': 'The server is starting or shutting down. Try again.',
  ENOTFOUND: 'Check the host in source.url.',
  ECONNREFUSED: 'Check host and port in source.url, and that the server is up.',
  ERR_DATABASE_LOG_IN:
    'In pg_hba.conf of the server allow the role of source.url to log in with a password (scram-sha-256) or a client certificate.',
  ERR_DATABASE_PASSWORD:
    'Write the password into source.url, postgres://user:password@host:port/database. PGPASSWORD and ~/.pgpass do not count.',
  ERR_DATABASE_PROTOCOL:
    'Check that source.url leads to a PostgreSQL server, and that nothing between changes its answers.',
  ERR_INVALID_URL:
    'Write source.url as postgres://user:password@host:port/database, with %-codes for special characters.',
};

/** What pg throws while connecting, as a SyncError `source-unavailable` of scope `run`, never with the password. */
export function connectError(error: unknown, url: string): SyncError {
  const { code = '', message } = errorFields(error);
  // Only TLS opens files; a Unix socket is connected.
  const tls = /ssl|tls|certificate|self.signed|, open '/i.test(`${message} ${code}`);
  return new SyncError(
    'source-unavailable',
    `The source database ${databasePlace(url) ?? '(source.url)'} cannot be reached: ${message}.`,
    {
      scope: 'run',
      hint:
        CONNECT_HINTS[code] ??
        (tls
          ? 'Check the TLS settings of source.url: sslmode (all but disable and no-verify mean verify-full), and sslrootcert for a certificate of your own authority.'
          : 'Check source.url, that the server is up, its pg_hba.conf and its connection limit.'),
      details: { sqlstate: code },
    },
  );
}

/**
 * host:port/database of a URL; never user or password. Null for anything else, also for a URL that may be cut at the
 * wrong place: one without `postgres:`, or with an @ behind its host.
 */
export function databasePlace(url: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  return pathname.includes('@') ? null : `${host}${pathname}`;
}
