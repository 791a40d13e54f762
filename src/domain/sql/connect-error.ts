import { SyncError } from '../errors.js';
import { errorFields } from './error-fields.js';

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
          ? 'Check the TLS settings of source.url: sslmode, and sslrootcert for a certificate of your own authority.'
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
