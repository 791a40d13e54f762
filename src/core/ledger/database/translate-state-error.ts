import { SyncError } from '../../domain/errors.js';
import { databaseMessage, databasePlace } from '../../domain/sql/error-fields.js';

/**
 * What a person reads when the state database fails. The driver's error loses statement, parameters and password, and gets
 * the place of the database, whether it is unavailable or refused the statement, and a hint that names the settings.
 */

/** What texts of errors call a database and its settings. */
export interface DatabaseSettings {
  readonly name: string;
  readonly url: string;
  readonly poolMax: string;
  /** The command that migrates it. */
  readonly migrate: string;
}

const STATE_SETTINGS: DatabaseSettings = {
  name: 'state database',
  url: 'state.url (or source.url)',
  poolMax: 'state.poolMax and source.poolMax',
  migrate: 'placement-sync migrate',
};

export const FLEET_SETTINGS: DatabaseSettings = {
  name: "fleet's database",
  url: 'fleet.database.url',
  poolMax: 'fleet.database.poolMax',
  migrate: 'placement-sync fleet migrate',
};

/** Of the databases of a fleet's ledgers. */
export const LEDGER_SETTINGS: DatabaseSettings = {
  name: 'ledger database',
  url: 'fleet.ledgers',
  poolMax: 'fleet.slots',
  migrate: 'placement-sync fleet migrate',
};

/** SQLSTATE classes and codes, and Node's socket codes, that mean: the database is not available now. */
const UNAVAILABLE =
  /^(08|57P0|53300|ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|ENOENT|EACCES|ERR_DATABASE|ERR_NETWORK|ERR_INVALID_URL)/;

/** Every server can make such a database, whatever its own locale. */
export const UTF8_HINT =
  "Make one with: create database NAME encoding 'UTF8' locale 'C' template template0. Then name it in state.url (a fleet: fleet.database.url or fleet.ledgers). A ledger that is there already moves by pg_dump and psql.";

const HINTS: Readonly<Record<string, (settings: DatabaseSettings) => string>> = {
  '53300': ({ poolMax }) =>
    `No connection is free: lower ${poolMax}, or raise the CONNECTION LIMIT of the role or max_connections of the server.`,
  '25006': ({ url }) =>
    `${url} leads to a read-only server (a replica), or to a role with default_transaction_read_only. The ledger needs the primary, and a role that writes.`,
  ERR_DATABASE_LOG_IN: ({ url }) =>
    `In pg_hba.conf of the server allow the role of ${url} to log in with a password (scram-sha-256) or a client certificate.`,
  ERR_DATABASE_PASSWORD: ({ url }) =>
    `Write the password into ${url}, postgres://user:password@host:port/database. PGPASSWORD and ~/.pgpass do not count.`,
  ERR_DATABASE_PROTOCOL: ({ url }) =>
    `Check that ${url} leads to a PostgreSQL server, and that nothing between changes its answers.`,
  '55P03': () =>
    'Another session has held a lock on the tables of the ledger for too long: a backup, a migration, or a session left open. The next run goes on.',
  '22P05': () => `The encoding of the database is not UTF8. ${UTF8_HINT}`,
  '22021': () => `The encoding of the database is not UTF8. ${UTF8_HINT}`,
  '53100': ({ name }) =>
    `The disk of the ${name} is full. Nothing is lost. Once there is room, the next run goes on.`,
};

/** By class of SQLSTATE: what the server itself lacks. */
const OF_SERVER: Readonly<Record<string, string>> = {
  '53': 'The server lacks disk or memory. Nothing is lost. Once there is room, the next run goes on.',
  '58': 'The server cannot read or write its own files: look at its log and its disk. Nothing is lost. The next run goes on.',
  XX: 'The server reports damage of its own: look at its log and its disk before anything else.',
};

/**
 * Errors of knex and pg as a SyncError without statement, parameters or password. A SyncError passes.
 */
export function translateStateError(
  error: unknown,
  url: string,
  settings: DatabaseSettings = STATE_SETTINGS,
): SyncError {
  if (error instanceof SyncError) return error;
  const code = textOf(error, 'code') ?? '';
  const message = databaseMessage(withoutStatement(textOf(error, 'message') ?? String(error)));
  const place = databasePlace(url);
  const where = place === null ? '' : ` ${place}`;
  // Only TLS opens files; a Unix socket is connected.
  const tls = /ssl|tls|certificate|self.signed|, open '/i.test(`${message} ${code}`);
  const failed = (kind: 'state-unavailable' | 'state-failed', what: string, hint: string): SyncError =>
    new SyncError(kind, `${what}: ${message}`, { scope: 'run', hint, details: { code }, cause: error });
  const database = `The ${settings.name}${where}`;
  const isLost = /timeout|Connection terminated|acquiring a connection/i.test(message);
  if (UNAVAILABLE.test(code) || tls || isLost) {
    const usual = tls
      ? `Check the TLS settings of ${settings.url}: sslmode (all but disable and no-verify mean verify-full), and sslrootcert for a certificate of your own authority.`
      : `Check ${settings.url}, that the server is up, and its connection limit.`;
    return failed('state-unavailable', `${database} cannot be used`, HINTS[code]?.(settings) ?? usual);
  }
  if (code === '3D000')
    return failed(
      'state-unavailable',
      `${database} cannot be used`,
      `Check the name of the database in ${settings.url}; the worker creates its schema, not the database.`,
    );
  if (code === '42501')
    return failed(
      'state-failed',
      `${database} refuses access`,
      `To migrate, the role of ${settings.url} needs CREATE on the database, or to own the state schema; to work, USAGE on the schema and SELECT, INSERT, UPDATE, DELETE on its tables.`,
    );
  return failed(
    'state-failed',
    `A statement on the ${settings.name}${where} failed`,
    HINTS[code]?.(settings) ??
      OF_SERVER[code.slice(0, 2)] ??
      `Run \`${settings.migrate}\` if the version changed. If not, please report this defect.`,
  );
}

function textOf(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** knex puts the statement before the server's message. */
function withoutStatement(message: string): string {
  return message.replace(/^[\s\S]* - (?=[^-]*$)/, '');
}

/** The error of a statement whose signal has aborted. */
export function interruptedState(cause?: Error): SyncError {
  return new SyncError('interrupted', 'A signal stopped the wait for the state database.', {
    scope: 'run',
    hint: 'Another session holds a lock on its tables, or it is slow. Nothing is lost. The next run does the work again.',
    cause,
  });
}

/**
 * SQL: what differs from record to record in a message of the platform, as a pattern of Postgres, and what is shown in its
 * place.
 */
const PARTICULARS: readonly (readonly [pattern: string, shown: string])[] = [
  ['[^\\s@"]+@[^\\s@"]+', '<email>'],
  ['[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<id>'],
  ['"[^"]*"|“[^”]*”|‘[^’]*’', '"…"'],
  // Not the apostrophe of a word.
  ["(^|[^[:alnum:]])'[^']*'", '\\1"…"'],
  ['[0-9][0-9 .-]{4,}[0-9]', '<number>'],
];

/**
 * SQL: the text of that expression without details of one record (quoted text, e-mail addresses, ids and long numbers),
 * so that none is shown and equal causes give equal texts.
 */
export function withoutParticulars(text: string): string {
  return PARTICULARS.reduce(
    (sql, [pattern, shown]) => `regexp_replace(${sql}, '${pattern.replaceAll("'", "''")}', '${shown}', 'g')`,
    text,
  );
}
