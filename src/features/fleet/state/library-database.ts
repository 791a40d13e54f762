import pg, { type ClientBase, escapeIdentifier } from 'pg';
import { databaseConnection } from '../../../core/runtime/database-address.js';
import { beginTransaction } from '../../../core/ledger/database/state-database.js';
import { createOpenConnections, wasDropped } from '../../../core/ledger/database/open-connections.js';

/**
 * Where a library runs SQL that it wrote itself, as the queue of the fleet does.
 *
 * Such SQL names Postgres' functions and operators without their schema. With the search path of the role, whoever may
 * create something in `public` could add one that fits a call better, and it would run with the rights of this role. So
 * each of the library's statements runs in a transaction of ours, which finds names in `pg_catalog` only (`beginTransaction`).
 * That also works behind PgBouncer, where a setting of a session would reach other sessions.
 *
 * A statement passes in this order: it loses what is not possible inside a transaction (`withinTransaction`), and locks that
 * belong to nobody (`withOwnLock`), then begin, statement and commit leave together and take one round trip.
 */
export interface LibraryDatabase {
  /** `values` undefined: `text` may hold several statements, whose results come as a list. Errors: those of pg. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  beginTransaction(): Promise<LibraryTransaction>;
  close(): Promise<void>;
}

interface LibraryTransaction {
  readonly db: Pick<LibraryDatabase, 'executeSql'>;
  /** Errors: those of pg. */
  commit(): Promise<void>;
  /** Never rejects, also after the commit. */
  rollback(): Promise<void>;
}

interface LibraryDatabaseOptions {
  /** postgres:// URL. */
  readonly url: string;
  readonly poolMax: number;
  /** Longest time of one statement, milliseconds: the server ends it then. */
  readonly statementTimeoutMs: number;
  /** The library's table that is locked in place of its advisory locks. */
  readonly lockedBy: { readonly schema: string; readonly table: string };
}

/** Longest wait for a connection, milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long to wait for an answer after the server should have ended the statement. */
const ANSWER_GRACE_MS = 5_000;

/** Opens a pool without connecting. */
export function createLibraryDatabase({
  url,
  poolMax,
  statementTimeoutMs,
  lockedBy,
}: LibraryDatabaseOptions): LibraryDatabase {
  const { usual: begin } = beginTransaction({ statementTimeoutMs, lockTimeoutMs: statementTimeoutMs / 2 });
  const connections = createOpenConnections(
    () => () => undefined,
    () => databaseConnection(url),
  );
  const pool = new pg.Pool({
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    // Statements leave before those ahead of them are answered.
    ...{ pipeline: true },
    Client: connections.Client,
  });
  // The pool replaces an idle connection that ends; without a listener its error would end the process.
  pool.on('error', () => undefined);

  const run = async (
    connection: ClientBase,
    text: string,
    values: unknown[] | undefined,
  ): Promise<{ rows: unknown[] }> => {
    const inside = withOwnLock(withinTransaction(text), lockedBy);
    return values === undefined ? await connection.query(inside) : await connection.query(inside, values);
  };

  return {
    async executeSql(text, values) {
      const connection = await pool.connect();
      let failed = true;
      try {
        // After a statement that failed, the server answers the commit by a rollback.
        const sent = [
          connection.query(begin),
          run(connection, text, values),
          connection.query('commit'),
        ] as const;
        await Promise.allSettled(sent);
        const [, result] = await Promise.all(sent);
        failed = false;
        return result;
      } finally {
        connection.release(failed || wasDropped(connection));
      }
    },
    async beginTransaction() {
      const connection = await pool.connect();
      let isOpen = true;
      const end = (broken: boolean): void => {
        isOpen = false;
        connection.release(broken || wasDropped(connection));
      };
      try {
        await connection.query(begin);
      } catch (error) {
        end(true);
        throw error;
      }
      return {
        db: {
          executeSql: (text, values) =>
            isOpen ? run(connection, text, values) : Promise.reject(new Error('the transaction has ended')),
        },
        async commit() {
          if (!isOpen) throw new Error('the transaction has ended');
          try {
            await connection.query('commit');
          } catch (error) {
            end(true);
            throw error;
          }
          end(false);
        },
        // The server undoes a transaction whose connection is closed.
        rollback: () => Promise.resolve(isOpen ? end(true) : undefined),
      };
    },
    close: () => connections.close(pool),
  };
}

/**
 * Without advisory locks: whoever may connect can hold them, because their keys are known. In their place a table of the
 * library is locked, which only a role that may write to it can do. Where it is only being made there is none; of several that
 * make it at once one wins, and the others find it. What only tries for a lock goes without.
 */
function withOwnLock(text: string, { schema, table }: LibraryDatabaseOptions['lockedBy']): string {
  const at = [schema, table].map((name) => escapeIdentifier(name)).join('.');
  const own = /\bCREATE SCHEMA\b/i.test(text) ? 'SELECT 1' : `LOCK TABLE ${at} IN SHARE ROW EXCLUSIVE MODE`;
  return text
    .replaceAll(/\bSELECT pg_advisory_xact_lock\([^;]*\)(?=\s*(?:;|$))/gi, () => own)
    .replaceAll(/\bpg_try_advisory_xact_lock\([^;]*?::bigint\)/gi, 'true');
}

/**
 * The library's SQL for a transaction that is open already:
 * - Without its own BEGIN and COMMIT. That of a function's body has no semicolon.
 * - An index is made, dropped or built again without CONCURRENTLY: its writers wait meanwhile, for a moment, because a queue's
 *   tables are small.
 */
function withinTransaction(text: string): string {
  const own = text.replaceAll(/^\s*(?:BEGIN|COMMIT);[^\S\n]*$/gim, '');
  return /^\s*(?:CREATE|DROP|REINDEX)\b/i.test(own) ? own.replaceAll(/\bCONCURRENTLY\b/g, '') : own;
}
