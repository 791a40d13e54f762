import { SyncError } from '../../domain/errors.js';

/** SQLSTATE classes and codes, and Node's socket codes, that mean: the database is not available now. */
const UNAVAILABLE = /^(08|57P0|53300|ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|ENOENT|EACCES)/;

const HINTS: Readonly<Record<string, string>> = {
  '53300':
    'No connection is free: lower state.poolMax and source.poolMax, or raise the CONNECTION LIMIT of the role or max_connections of the server.',
  '25006':
    'state.url leads to a read-only server (a replica), or to a role with default_transaction_read_only. The ledger needs the primary, and a role that writes.',
  '55P03':
    'Another session has held a lock on the tables of the ledger for too long: a backup, a migration, or a session left open. The next run goes on.',
  '53100':
    'The disk of the state database is full. Nothing is lost. Once there is room, the next run goes on.',
};

/**
 * Errors of knex and pg as a SyncError without statement, parameters or password. A SyncError passes. `statement`: as
 * sent, because knex puts it before the server's message.
 */
export function translateStateError(error: unknown, url: string, statement = ''): SyncError {
  if (error instanceof SyncError) return error;
  const code = textOf(error, 'code') ?? '';
  const message = withoutStatement(textOf(error, 'message') ?? String(error), statement);
  const where = describeTarget(url);
  // Only TLS opens files; a Unix socket is connected.
  const tls = /ssl|tls|certificate|self.signed|, open '/i.test(`${message} ${code}`);
  if (
    UNAVAILABLE.test(code) ||
    tls ||
    /timeout|Connection terminated|acquiring a connection/i.test(message)
  ) {
    return new SyncError('state-unavailable', `The state database${where} cannot be used: ${message}`, {
      scope: 'run',
      hint:
        HINTS[code] ??
        (tls
          ? 'Check the TLS settings of state.url (or source.url): sslmode, and sslrootcert for a certificate of your own authority.'
          : 'Check state.url (or source.url), that the server is up, and its connection limit.'),
      details: { code },
      cause: error,
    });
  }
  if (code === '3D000') {
    return new SyncError('state-unavailable', `The state database${where} cannot be used: ${message}`, {
      scope: 'run',
      hint: 'Check the name of the database in state.url (or source.url); the worker creates its schema, not the database.',
      details: { code },
      cause: error,
    });
  }
  if (code === '42501') {
    return new SyncError('state-failed', `The state database${where} refuses access: ${message}`, {
      scope: 'run',
      hint: 'To migrate, the role of state.url needs CREATE on the database, or to own the state schema; to work, USAGE on the schema and SELECT, INSERT, UPDATE, DELETE on its tables.',
      details: { code },
      cause: error,
    });
  }
  return new SyncError('state-failed', `A statement on the state database${where} failed: ${message}`, {
    scope: 'run',
    hint:
      HINTS[code] ??
      'Run `placement-sync migrate` if the version changed. If not, please report this defect.',
    details: { code },
    cause: error,
  });
}

/** The error of a statement whose signal has aborted. */
export function interruptedState(cause?: Error): SyncError {
  return new SyncError('interrupted', 'A signal stopped the wait for the state database.', {
    scope: 'run',
    hint: 'Another session holds a lock on its tables, or it is slow. Nothing is lost. The next run does the work again.',
    cause,
  });
}

function withoutStatement(message: string, statement: string): string {
  const prefix = `${statement} - `;
  return message.startsWith(prefix)
    ? message.slice(prefix.length)
    : message.replace(/^[\s\S]* - (?=[^-]*$)/, '');
}

function textOf(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** A blank and host:port/database of a URL; never user or password. Empty without a URL. */
function describeTarget(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return ` ${host}${pathname}`;
  } catch {
    return '';
  }
}
