import { failure, NOT_GIVEN } from './database-address.js';

/*
 * What a database server sends is cut into messages before the driver sees it. The driver trusts it: it throws in the
 * socket's own event at a log-in that it does not know, which ends the process, and it never leaves an error message
 * without an end, which freezes it. Here both become an error of this one connection.
 *
 *   socket -> messages (type known, length within its bound, errors and notices end, fields fill their row) -> driver
 *                                          | otherwise, and whatever the driver throws
 *                                          v
 *                              the socket ends with that error
 *
 * After the switch to TLS the driver attaches itself to the new stream in the same way, so that is guarded, too.
 */

/** The server's answer is not the protocol. */
const PROTOCOL = 'ERR_DATABASE_PROTOCOL';
/** The server asks for a way to log in that the driver does not know. */
const LOG_IN = 'ERR_DATABASE_LOG_IN';
/** A row is larger than it may be. */
export const WIDE_ROW = 'ERR_DATABASE_WIDE_ROW';

class DatabaseProtocolError extends Error {
  override readonly name = 'DatabaseProtocolError';

  constructor(
    message: string,
    readonly code: typeof PROTOCOL | typeof LOG_IN | typeof WIDE_ROW = PROTOCOL,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const HEADER_BYTES = 5;
const ERROR = 'E'.charCodeAt(0);
const NOTICE = 'N'.charCodeAt(0);
const ROW = 'D'.charCodeAt(0);

/** A row of our own may be as large as a process of usual size can hold at all. */
const ROW_BYTES = 256 * 1024 * 1024;
/** And one of a source: it is held several times, and several sources are read at once in a replica of 1 GiB. */
export const SOURCE_ROW_BYTES = 40 * 1024 * 1024;
/** An error may quote the value that it is about. */
const TEXT_BYTES = 16 * 1024 * 1024;
/** 1,664 columns, or 65,535 parameters, need less than half of it. */
const OTHER_BYTES = 1024 * 1024;

/** Longest message of each type that the driver knows, bytes; 0: it does not know it. */
const LONGEST = new Uint32Array(256);
for (const type of '123nscWIZARSKTtGHC') LONGEST[type.charCodeAt(0)] = OTHER_BYTES;
for (const type of 'Dd') LONGEST[type.charCodeAt(0)] = ROW_BYTES;
LONGEST[ERROR] = TEXT_BYTES;
LONGEST[NOTICE] = TEXT_BYTES;

/** Names of ways to log in, by their numbers in the protocol. */
const LOG_INS: Readonly<Record<string, string>> = {
  2: 'Kerberos',
  6: 'SCM',
  7: 'GSSAPI',
  8: 'GSSAPI',
  9: 'SSPI',
};

/** As far as the driver reads a stream. */
interface Readable {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
  destroy(error?: Error): unknown;
}

/** The driver's connection; missing in its types. */
interface DriverConnection {
  attachListeners(stream: Readable): void;
}

/**
 * Guards a client of the driver that has not begun to connect. Its settings come from its address alone (`NOT_GIVEN`).
 * `rowBytes`: of the largest row that it takes.
 */
export function guardConnection(client: unknown, rowBytes = ROW_BYTES): void {
  const { connection, connectionParameters: given } = client as {
    readonly connection: DriverConnection;
    readonly connectionParameters: Record<string, unknown>;
  };
  // Not by us, who give the driver an object.
  if (given.ssl === true)
    throw failure('ERR_SSL_MODE', 'PGSSLMODE is set, and does not count: write sslmode into the address');
  for (const name of ['options', 'replication']) if (given[name] === NOT_GIVEN) given[name] = undefined;
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const check = createMessageCheck(rowBytes);
    let refused = false;
    attach({
      destroy: (error) => stream.destroy(error),
      on: (event, listener) =>
        stream.on(event, (chunk) => {
          if (event !== 'data') return listener(chunk);
          if (refused) return;
          try {
            check(chunk);
            listener(chunk);
          } catch (error) {
            refused = true;
            stream.destroy(asConnectionError(error));
          }
        }),
    });
  };
}

function asConnectionError(error: unknown): Error {
  if (error instanceof DatabaseProtocolError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const logIn = /authenticationOk message type (\d+)/.exec(text)?.[1];
  const message =
    logIn === undefined
      ? `the server's answer is not understood (${text.slice(0, 200)})`
      : `the server asks to log in by ${LOG_INS[logIn] ?? `way number ${logIn}`}, which this program does not support`;
  return new DatabaseProtocolError(message, logIn === undefined ? PROTOCOL : LOG_IN, { cause: error });
}

/**
 * A check of a stream of messages, chunk by chunk, which copies nothing but a header that is cut in two. It throws a
 * DatabaseProtocolError at the chunk with the first message that is wrong, and must not be called again then.
 */
export function createMessageCheck(rowBytes = ROW_BYTES): (chunk: Buffer) => void {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  /** Of the message that has begun. */
  let type = 0;
  let left = 0;
  /** The last two bytes that came of it; -1: not yet. */
  let last = -1;
  let lastButOne = -1;
  const row = createRowCheck();

  const isText = () => type === ERROR || type === NOTICE;
  const begin = (bytes: Buffer, at: number) => {
    type = bytes[at] ?? 0;
    const length = bytes.readUInt32BE(at + 1);
    if (length < 4 || length > (LONGEST[type] ?? 0)) throw wrongMessage(type, length);
    if (type === ROW && length > rowBytes) throw wideRow(length, rowBytes);
    left = length - 4;
    last = lastButOne = -1;
    if (type === ROW) row.begin();
    if (left === 0) end();
  };
  /** An error or notice is a list of fields, each with a zero byte at its end, and one more at the end of all. */
  const end = () => {
    if (type === ROW) row.end();
    if (!isText() || (last === 0 && lastButOne <= 0)) return;
    throw new DatabaseProtocolError('the server sent an error message without an end');
  };

  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        if (isText()) {
          lastButOne = taken > 1 ? (chunk[at + taken - 2] ?? -1) : last;
          last = chunk[at + taken - 1] ?? -1;
        }
        if (type === ROW) row.take(chunk, at, at + taken, left);
        left -= taken;
        at += taken;
        if (left === 0) end();
      } else if (headerBytes === 0 && chunk.length - at >= HEADER_BYTES) {
        begin(chunk, at);
        at += HEADER_BYTES;
      } else {
        const taken = chunk.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes);
        headerBytes += taken;
        at += taken;
        if (headerBytes === HEADER_BYTES) {
          headerBytes = 0;
          begin(header, 0);
        }
      }
    }
  };
}

/**
 * Checks that the fields of a row fill its message: their number, then each with its length in front, -1 for null. The
 * driver takes a length beyond the message, or a negative one, as it is: a row of a megabyte could name its bytes again
 * and again, and become a text of gigabytes.
 */
function createRowCheck() {
  /** Fields that are still to come; -1: their number has not come. */
  let fields = -1;
  /** Of the field that has begun. */
  let skip = 0;
  /** The number that has begun, and how many bytes of it are still to come. */
  let number = 0;
  let numberLeft = 2;

  return {
    begin() {
      fields = -1;
      skip = number = 0;
      numberLeft = 2;
    },
    /** `left`: bytes of the message from `at` on, in this chunk and the next ones. */
    take(chunk: Buffer, from: number, end: number, left: number) {
      const close = from + left;
      let at = from + Math.min(skip, end - from);
      skip -= at - from;
      while (at < end) {
        if (fields === 0) throw wrongRow();
        if (numberLeft < 4 || end - at < 4) {
          number = (number << 8) | (chunk[at] ?? 0);
          at += 1;
          numberLeft -= 1;
          if (numberLeft > 0) continue;
        } else {
          number = chunk.readInt32BE(at);
          at += 4;
        }
        const found = number;
        number = 0;
        numberLeft = 4;
        if (fields < 0) fields = found;
        else {
          if (found < -1 || found > close - at) throw wrongRow();
          fields -= 1;
          if (found > 0) {
            const taken = Math.min(found, end - at);
            skip = found - taken;
            at += taken;
          }
        }
      }
    },
    end() {
      if (fields !== 0) throw wrongRow();
    },
  };
}

function wrongRow(): DatabaseProtocolError {
  return new DatabaseProtocolError('the server sent a row whose fields do not fill its message');
}

function wideRow(bytes: number, most: number): DatabaseProtocolError {
  const megabytes = (count: number) => `${Math.ceil(count / (1024 * 1024))} MB`;
  return new DatabaseProtocolError(
    `a row has ${megabytes(bytes)}, and may have ${megabytes(most)}`,
    WIDE_ROW,
  );
}

function wrongMessage(type: number, length: number): DatabaseProtocolError {
  const name = type > 32 && type < 127 ? `"${String.fromCharCode(type)}"` : `number ${type}`;
  return new DatabaseProtocolError(
    LONGEST[type] === 0
      ? `the server's answer is not PostgreSQL's protocol (a message of the unknown type ${name})`
      : `the server sent a message of type ${name} with the impossible length of ${length} bytes`,
  );
}
