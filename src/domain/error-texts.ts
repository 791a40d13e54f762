import type { ErrorCode } from './errors.js';

/** What an error code says to whoever finds it in a log, in a summary or at an alert. */
export interface ErrorText {
  readonly meaning: string;
  /** What to do, one or two sentences. */
  readonly cure: string;
}

/** One entry per code: docs/runbook.md is printed from it, and a code without an entry does not compile. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  'config-invalid': {
    meaning:
      'The configuration, a file that it names, or an address to listen on cannot be used. Nothing was done.',
    cure: 'Mend what is named; `config check` tells every problem at once, with its line.',
  },
  'schema-not-migrated': {
    meaning: 'The state schema is older than the program, or newer.',
    cure: 'Older: `migrate`, or `--migrate`. Newer: run the version that migrated it.',
  },
  'environment-changed': {
    meaning: 'The ledger belongs to another base address, client id or `ids.namespace`. Nothing was sent.',
    cure: 'Was it meant? The same platform: `adopt --environment --keep` (with another `ids.namespace`: put the former one back). Another one: `--reset`, or a `state.schema` of its own. If not, put the setting back.',
  },
  usage: {
    meaning: 'The command line asks for something that cannot be. Nothing was done.',
    cure: 'The message says what; `--help` of the command has an example.',
  },
  'query-failed': {
    meaning: 'The query of one entity failed. Nothing of that entity was applied, nothing vanished.',
    cure: 'File, line and column are in the message. Try the query in psql with the role of `source.url`.',
  },
  'column-contract': {
    meaning: 'The query returns a column that the entity does not have, two of one name, or lacks one.',
    cure: 'Correct the select list; the hint lists the columns.',
  },
  'null-key': {
    meaning: 'The query returns rows whose key is null or empty.',
    cure: 'Leave such rows out with WHERE, or give them a key that never changes.',
  },
  'duplicate-key': {
    meaning: 'The query returns one record more than once, or two keys that are the same UUID.',
    cure: 'Look for a join that multiplies rows; take one row of several by LATERAL with ORDER BY and LIMIT 1.',
  },
  'key-order': {
    meaning: 'A database returned keys in another order than it was asked for, so nothing can be compared.',
    cure: 'Look for a damaged index (REINDEX) at the database named; if it stays, report it.',
  },
  'row-security': {
    meaning: 'Row-level security would hide rows, and hidden rows look like deleted ones.',
    cure: 'Use a role with BYPASSRLS; only where rows are hidden on purpose, set `source.rowSecurity: allow`.',
  },
  'source-unavailable': {
    meaning: 'Your database cannot be reached. Nothing was read, nothing vanished.',
    cure: 'Check `source.url`, server, pg_hba.conf and connection limit; the next run reads again.',
  },
  'state-unavailable': {
    meaning: 'The state database cannot be reached. Nothing is sent without it.',
    cure: 'Check `state.url`, server and connection limit. `start` tries again by itself.',
  },
  'state-failed': {
    meaning: 'The state database refused a statement.',
    cure: 'Rights: see install.md. After an upgrade: `migrate`. Otherwise report it.',
  },
  'lease-lost': {
    meaning: 'The process found its lease over, or with another process, so it stopped reading and sending.',
    cure: 'Nothing was lost; the next run goes on. If it is frequent: look at the load of machine and state database, or raise `state.leaseTtl`.',
  },
  'state-went-back': {
    meaning:
      'The state database is older than it was, or another copy: a restored backup, or a fail-over. The platform may hold something else than the ledger believes.',
    cure: '`verify --all --repair`; see [The state database was restored](#the-state-database-was-restored-from-an-old-backup).',
  },
  unbalanced: {
    meaning: 'Counts of the run do not add up, so the sweep was not applied or the run counts as failed.',
    cure: 'A query whose result changes from one execution to the next (random(), LIMIT without ORDER BY), or a crash of the state database. Otherwise report it.',
  },
  interrupted: {
    meaning: 'A signal, or the end of the process, came before the end of the run.',
    cure: 'Nothing to do: the next run goes on.',
  },
  unexpected: {
    meaning: 'A defect of the program, or a result that could not be written.',
    cure: 'Report it with the lines of the log. The next run goes on from the ledger.',
  },
  'authentication-refused': {
    meaning: 'The platform answered 401 or 403. The area is stopped, its records stay pending.',
    cure: 'See [401 or 403](#the-platform-answers-401-or-403).',
  },
  redirected: {
    meaning: 'The platform answered with a redirect, which a signed request never follows.',
    cure: 'Set `baseUrl` to the address that answers directly, then `adopt --environment --keep`.',
  },
  'breaker-open': {
    meaning:
      'Too many requests in a row failed (`retry.breakerAfter`). The area is stopped, no attempt is used up.',
    cure: 'See [The platform is down](#the-platform-is-down).',
  },
  'long-pause': {
    meaning: 'The platform asked for a longer pause than `retry.maxPause`, or for pause after pause.',
    cure: 'Wait: the rest stays pending. If it is usual, lower `ratePerSecond`.',
  },
  busy: {
    meaning: 'Another process holds the lease. Nothing was done.',
    cure: 'Wait for its end; see [A stuck lease](#a-stuck-lease).',
  },
};
