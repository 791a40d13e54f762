import type { ErrorCode } from '../src/core/domain/errors.js';

/** What an error code means, for whoever finds it in a log, in a summary or at an alert. */
interface ErrorText {
  readonly meaning: string;
  /** What to do, one or two sentences. */
  readonly hint: string;
}

/** One entry per code: docs/reference/codes.md is printed from it, and a code without an entry does not compile. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  'config-invalid': {
    meaning:
      'The configuration, a file that it names, or an address to listen on is not usable. Nothing was done.',
    hint: 'Fix what the message names. `config check` reports every problem at once, with its line.',
  },
  'schema-not-migrated': {
    meaning: 'The state schema is older than the program, or newer.',
    hint: 'Older: `migrate`, or `--migrate`. Newer: run the version that migrated it.',
  },
  'environment-changed': {
    meaning: 'The ledger belongs to another base address, client id or `ids.namespace`. Nothing was sent.',
    hint: 'A mistake: put the setting back. The same platform under a new address: `adopt --environment --keep` (keep the former `ids.namespace`). Another platform: `adopt --environment --reset`, or another `state.schema`.',
  },
  usage: {
    meaning: 'The command line is not valid. Nothing was done.',
    hint: 'The message says what is wrong. `--help` of the command has an example.',
  },
  'query-failed': {
    meaning: 'The query of one entity failed. Nothing of that entity was applied, nothing vanished.',
    hint: 'File, line and column are in the message. Try the query in psql with the role of `source.url`.',
  },
  'column-contract': {
    meaning:
      'The query returns an unknown column or the same column twice, a required column is missing, or a key or row version is too long.',
    hint: 'Correct the select list. The hint says how.',
  },
  'null-key': {
    meaning: 'The query returns rows whose key is null or empty.',
    hint: 'Leave such rows out with WHERE, or give them a key that never changes.',
  },
  'duplicate-key': {
    meaning: 'The query returns the same record twice, or two keys that are the same UUID.',
    hint: 'Look for a join that multiplies rows; take one row of several by LATERAL with ORDER BY and LIMIT 1.',
  },
  'key-order': {
    meaning: 'A database returned keys in the wrong order, so the worker cannot compare them.',
    hint: 'Look for a damaged index in the database that is named (REINDEX). If that does not help, report it.',
  },
  'row-security': {
    meaning: 'Row-level security would hide rows. Hidden rows look like deleted ones.',
    hint: 'Use a role with BYPASSRLS. If rows are hidden on purpose, set `source.rowSecurity: allow`.',
  },
  'replica-lag': {
    meaning:
      'The source is a replica that is further behind its primary than `source.maxReplicaLag`. Nothing of that entity was applied, nothing vanished.',
    hint: 'Look at the replica: a paused replay, a lost connection to the primary, a long read. The next run reads again. If such a delay is usual, raise the setting.',
  },
  'source-unavailable': {
    meaning: 'Your database cannot be reached. Nothing was read, nothing vanished.',
    hint: 'Check `source.url`, the server, pg_hba.conf and the connection limit. The next run reads again.',
  },
  'state-unavailable': {
    meaning: 'The state database cannot be reached. Nothing is sent without it.',
    hint: 'Check `state.url`, the server and the connection limit. `start` tries again by itself.',
  },
  'state-failed': {
    meaning: 'The state database refused a statement.',
    hint: 'Its message says why: a full disk, missing rights of the role, or, after an upgrade, that `migrate` has still to run. Otherwise report it.',
  },
  'lease-lost': {
    meaning: 'The lease ended or another process took it, so this process stopped reading and sending.',
    hint: 'Nothing was lost. The next run goes on. If it happens often: look at the load of the machine and of the state database, or raise `state.leaseTtl`.',
  },
  'state-went-back': {
    meaning:
      'The state database went back in time, or is another copy: a restored backup, or a fail-over. The platform may hold something else than the ledger says.',
    hint: '`verify --all --repair`; see [The state database was restored](../moves.md#the-state-database-was-restored).',
  },
  unbalanced: {
    meaning: 'The counts of the run do not add up. The sweep was not applied, or the run counts as failed.',
    hint: 'Look for a query whose result changes with each execution (random(), LIMIT without ORDER BY), or for a crash of the state database. Otherwise report it.',
  },
  interrupted: {
    meaning: 'A signal stopped the process before the run was complete.',
    hint: 'Nothing to do. The next run goes on.',
  },
  unexpected: {
    meaning: 'A defect of the program, or a result that could not be written.',
    hint: 'Report it with the lines of the log. The next run goes on from the ledger.',
  },
  'adapter-failed': {
    meaning:
      'The module that `platform.adapter` names cannot be loaded, threw, gave nothing in time, or gave something unknown. The area is stopped. Its records stay pending, and what may have arrived is confirmed.',
    hint: 'The message has the module’s own words, its line and its function. Correct it; `config check` loads it. See docs/adapter.md.',
  },
  'authentication-refused': {
    meaning: 'The platform answered 401 or 403. The area is stopped. Its records stay pending.',
    hint: 'See [401 or 403](../operate.md#401-or-403).',
  },
  redirected: {
    meaning: 'The platform answered with a redirect, which a signed request never follows.',
    hint: 'Set `baseUrl` to the address that answers directly, then `adopt --environment --keep`.',
  },
  'request-refused': {
    meaning:
      'The platform answered with a status that cannot be about one record (405, 406, 411, 412, 415, 417, 421, 426, 428, 431). The area is stopped. Its records stay pending, and none is rejected.',
    hint: 'The message names the setting. See [Everything is refused](../operate.md#everything-is-refused).',
  },
  'same-refusal': {
    meaning:
      'The platform refused what was sent of an entity, and nothing of it passed: also not a record that was accepted before, or none ever was. The area is stopped. Its records stay pending, and none is rejected.',
    hint: 'See [Everything is refused](../operate.md#everything-is-refused).',
  },
  'breaker-open': {
    meaning:
      'Too many requests in a row failed (`retry.breakerAfter`), or nothing of a push was answered. The area is stopped. No attempt is used up.',
    hint: 'See [The platform is down](../operate.md#platform-is-down).',
  },
  'long-pause': {
    meaning: 'The platform asked for a longer pause than `retry.maxPause`, or for pause after pause.',
    hint: 'Nothing to do: the rest stays pending and is sent after the pause. `status` says when it ends, and `retry` ends it earlier. If it happens often, lower `ratePerSecond`.',
  },
  'reply-not-understood': {
    meaning:
      'The platform answered with success (2xx), but a part of the reply is missing or the status is not expected. The area is stopped. No attempt is used up, and what may have arrived is confirmed.',
    hint: 'The message names the missing part, and the function of the adapter that reads it. See [A reply is not understood](../operate.md#reply-not-understood).',
  },
  busy: {
    meaning: 'Another process holds the lease. Nothing was done.',
    hint: 'Wait until it ends. See [busy](../operate.md#busy-or-exit-code-6).',
  },
};
