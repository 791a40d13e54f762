import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';

/*
 * The address of a Postgres database, read here and nowhere else. The driver gets plain fields: of a text it would open each
 * file that it names, also a pipe, and fill what is missing from PGPASSWORD, PGSSLMODE, PGOPTIONS or ~/.pgpass.
 */

/** Parameters that name a file, and what the driver calls its content. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

const PARAMETERS: readonly string[] = [
  ...['sslmode', ...Object.keys(FILES), 'channel_binding', 'application_name', 'connect_timeout', 'options'],
  ...['host', 'port', 'user', 'password'],
];

/** Whether a mode of TLS checks the certificate; null: no TLS. None means less than it says. */
const TLS_MODES: Readonly<Record<string, boolean | null>> = {
  ...{ disable: null, allow: true, prefer: true, require: true, 'verify-ca': true },
  ...{ 'verify-full': true, 'no-verify': false },
};

export interface DatabaseAddress {
  /** A name, an address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Empty: the user of this process, as for every program that asks Postgres. */
  readonly user: string;
  /** Empty: none. */
  readonly password: string;
  readonly database: string;
  /** Null: not said. */
  readonly sslmode: string | null;
  readonly parameters: ReadonlyMap<string, string>;
}

const FORM = /^postgres(?:ql)?:\/\/([^/?#\s]*)(?:\/([^?#\s]*))?(?:\?([^#\s]*))?$/;
const PLACE = /^(\[[0-9a-f:.]+\]|[^[\]:<>\\^|]*)(?::(\d*))?$/i;

/** Takes an address apart. Null: it has not the form of one. `problem`: what is wrong with it, without a value of it. */
export function readDatabaseAddress(text: string): DatabaseAddress | { readonly problem: string } | null {
  const [whole, authority = '', path = '', query = ''] = FORM.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const [, name = '', secret = ''] = /^([^:]*):?(.*)$/.exec(authority.slice(0, Math.max(0, at))) ?? [];
  // A password with a / or ? ends the host too early, and shows by the @ behind it.
  if (whole === undefined || path.includes('@') || (name === '' && query.includes('@'))) return null;
  const given = [...new URLSearchParams(query)];
  const parameters = new Map(given);
  const [, place, port = ''] = PLACE.exec(authority.slice(at + 1)) ?? [];
  if (authority.includes(',', at + 1) || parameters.get('host')?.includes(','))
    return { problem: 'names several hosts; write one: the primary, or a pooler in front of them' };
  const isKnown = (key: string, index: number) =>
    PARAMETERS.includes(key) && given.findIndex(([other]) => other === key) === index;
  const unknown = given.find(([key], index) => !isKnown(key, index))?.[0];
  if (unknown !== undefined) {
    // Behind an @ it may be a piece of the password.
    const shown = /^\w{1,40}$/.test(unknown) && !query.includes('@') ? ` ${unknown}` : '';
    return {
      problem: `has a parameter${shown} that is not known, or is there twice; known here: ${PARAMETERS.join(', ')}`,
    };
  }
  const part = (written: string, parameter: string) =>
    parameters.get(parameter) ?? decodeURIComponent(written);
  try {
    if (place === undefined) return null;
    const address = {
      host: part(place.replace(/^\[|\]$/g, ''), 'host'),
      port: Number(part(port, 'port') || '5432'),
      user: part(name, 'user'),
      password: part(secret, 'password'),
      database: decodeURIComponent(path),
      sslmode: parameters.get('sslmode') ?? null,
      parameters,
    };
    const problem = wrongPart(address);
    return problem === null ? address : { problem };
  } catch {
    return null;
  }
}

function wrongPart({
  host,
  port,
  user,
  database,
  password,
  sslmode,
  parameters,
}: DatabaseAddress): string | null {
  const missing = Object.entries({ host, database }).find(([, part]) => part === '')?.[0];
  if (missing) return `has no ${missing}, and PG${missing.toUpperCase()} does not count`;
  if (!(port >= 1 && port <= 65_535)) return 'has a port that is not a number from 1 to 65535';
  if (sslmode !== null && !Object.hasOwn(TLS_MODES, sslmode))
    return `has an sslmode that is none of ${Object.keys(TLS_MODES).join(', ')}`;
  if (!/^(|disable|prefer|require)$/.test(parameters.get('channel_binding') ?? ''))
    return 'has a channel_binding that is none of disable, prefer, require';
  if (!/^\d{0,4}$/.test(parameters.get('connect_timeout') ?? ''))
    return 'has a connect_timeout that is not a number of seconds';
  // It would end a field of the log-in, and begin another one.
  const hasEnd = [host, user, database, password, ...parameters.values()].some((text) => text.includes('\0'));
  return hasEnd ? 'has the character U+0000' : null;
}

/** What of this machine an address takes: a file, or a socket. Null: nothing. */
export function ofThisMachine({ host, parameters }: DatabaseAddress): string | null {
  return (
    Object.keys(FILES).find((name) => parameters.has(name)) ?? (host.startsWith('/') ? 'a Unix socket' : null)
  );
}

/** The mode of TLS that counts as `verify-full` although it says less; null: the address means what it says. */
export function strictMode({ sslmode }: DatabaseAddress): string | null {
  return sslmode !== 'verify-full' && TLS_MODES[sslmode ?? ''] ? sslmode : null;
}

/** For a field that the driver would look up in the environment. `guardConnection` takes it away again. */
export const NOT_GIVEN = '\0';

/** The driver's fields for a database. Errors: with a code that begins with `ERR_`. */
export function databaseConnection(url: string) {
  const address = readDatabaseAddress(url);
  if (address === null || 'problem' in address)
    throw failure('ERR_INVALID_URL', `it ${address?.problem ?? 'is no address of a Postgres database'}`);
  const { host, port, user, password, database, parameters } = address;
  // The driver takes an empty text for a missing one.
  const said = (name: string, otherwise: string) =>
    [parameters.get(name) ?? ''].find((text) => text !== '') ?? otherwise;
  return {
    ...{
      host,
      port,
      database,
      user: user || userInfo().username,
      ssl: host.startsWith('/') ? false : tlsOf(address),
    },
    // A function is never missing.
    password(): string {
      if (password !== '') return password;
      throw failure('ERR_DATABASE_PASSWORD', 'the server asks for a password, and the address has none');
    },
    application_name: said('application_name', 'placement-sync'),
    options: said('options', NOT_GIVEN),
    replication: NOT_GIVEN,
    enableChannelBinding: !['', 'disable'].includes(parameters.get('channel_binding') ?? ''),
    client_encoding: 'utf8',
    sslnegotiation: 'postgres' as const,
    connectionTimeoutMillis: 1_000 * (Number(parameters.get('connect_timeout')) || 10),
  };
}

/** Undefined: it is not said. */
function tlsOf({ sslmode, parameters }: DatabaseAddress) {
  const files = Object.entries(FILES).flatMap(([name, field]) => {
    const file = parameters.get(name);
    return file === undefined ? [] : [[field, readPem(name, file)] as const];
  });
  if (sslmode === null && files.length === 0) return undefined;
  const isChecked = TLS_MODES[sslmode ?? 'verify-full'] ?? null;
  return isChecked !== null && { rejectUnauthorized: isChecked, ...Object.fromEntries(files) };
}

function readPem(parameter: string, file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  // A pipe or a device may have no end.
  const isUsable = stats?.isFile() === true && stats.size < 1024 * 1024;
  const text = isUsable ? readFileSync(file, 'latin1') : '';
  if (text.includes('-----BEGIN ')) return text;
  const why =
    stats === undefined
      ? 'does not exist'
      : isUsable
        ? 'is not in PEM form'
        : 'is not a file of less than 1 MiB';
  throw failure('ERR_SSL_FILE', `${parameter}: ${file} ${why}`);
}

export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
