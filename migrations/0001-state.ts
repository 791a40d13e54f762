import type { Knex } from 'knex';

/**
 * All tables of the state schema in version 1.0.0: the ledger, what surrounds it, the journal and the inbox. They are
 * made in the order below, and the view `record` after them, from the registry (src/core/ledger/database/migrate.ts).
 *
 * A migration never changes once it is released: what comes later is a migration of its own.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const statements = [
    ...LEDGER,
    ...LEDGER_INDEXES,
    ...SWEEPS_AND_PUSHES,
    ...RUNS,
    ...JOURNAL,
    ...INBOX,
    ...NOTICES_AND_PROBES,
  ];
  for (const statement of statements) await knex.raw(statement, { schema });
}

/** Everything goes, with all rows. */
export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop view if exists :schema:.record', { schema });
  for (const table of TABLES) await knex.raw('drop table :schema:.:table:', { schema, table });
}

const TABLES = [
  'sync_state',
  'staged_finding',
  'entity_state',
  'area_state',
  'environment',
  'lease',
  'schedule',
  'sync_run',
  'push_hour',
  'delivery',
  'journal_gap',
  'job_application',
  'unstored_webhook',
  'notice',
  'observation',
];

/**
 * One row for each record. What the source wants is `desired_…`, what the platform accepted is `acknowledged_…`.
 * - `noted`: what a map needs at the next sweep although the payload is dropped.
 * - `expired`: whether the last day of a vanished record was over when it left the source, as the sweep judged it.
 * - `sent_hash`, `request_open`: which payload `last_request_id` was used for, and whether its request is unanswered;
 *   only then may a PATCH be repeated under the same Request-Id.
 * - `acknowledged_reply`: the platform's answer to an accepted status.
 * - `acknowledged_parent_platform_id`: the parent under which a record was accepted last: the closing of a record that
 *   moved since is sent under it.
 * - `possible_parents`: the parents under which attempts without a known outcome may have put a record that now has
 *   another desired parent: none of them is deleted before the record is confirmed.
 * - `claim_token`, `claim_nonce`: of the acquisition of the lease that claimed it; the nonce counts only with the token.
 * - `drifted_at`: when a read-back found that the platform lacks the record or holds something else. It counts until the
 *   platform accepts the record again (`acknowledged_at` is later) or a read-back finds it equal, which clears it.
 *
 * `unacknowledged`, `settled` and `sendable` are stored generated columns, because the planner estimates
 * `IS DISTINCT FROM` between two columns at 99.5 % and then scans the whole table for a claim.
 */
const LEDGER = [
  `create table :schema:.sync_state (
     entity               text        not null,
     key                  text        collate "C" not null,
     platform_id          uuid        not null,
     reference            text,
     remote_id            text,
     parent_platform_id   uuid,
     row_version          text,
     desired_hash         text,
     desired_payload      jsonb,
     desired_at           timestamptz,
     noted                jsonb,
     invalid_reason       jsonb,
     vanished_at          timestamptz,
     expired              boolean     not null default false,
     acknowledged_hash    text,
     acknowledged_payload jsonb,
     acknowledged_at      timestamptz,
     acknowledged_reply   jsonb,
     acknowledged_parent_platform_id uuid,
     possible_parents     uuid[],
     refused_hash         text,
     confirm_at           timestamptz,
     drifted_at           timestamptz,
     attempts             integer     not null default 0,
     attempted_at         timestamptz,
     next_attempt_at      timestamptz,
     claim_token          bigint,
     claim_nonce          uuid,
     sent_hash            text,
     request_open         boolean     not null default false,
     last_request_id      text,
     last_status_code     integer,
     last_error           text,
     unacknowledged       boolean     generated always as (acknowledged_at is null) stored,
     settled              boolean     generated always as (
       vanished_at is null and invalid_reason is null and confirm_at is null and desired_hash is not null
       and desired_hash is not distinct from acknowledged_hash and refused_hash is distinct from desired_hash
     ) stored,
     sendable             boolean     generated always as (
       desired_hash is not null and invalid_reason is null and refused_hash is distinct from desired_hash
       and (desired_hash is distinct from acknowledged_hash or confirm_at is not null)
     ) stored,
     primary key (entity, key),
     constraint sync_state_platform_id unique (entity, platform_id)
   )`,
];

/**
 * The order of lists: numbers in a key by their value (10 after 9), because each is padded to 18 digits. Most keys end
 * with their only number, which needs no regular expression. A long key, or one with many numbers (a UUID), keeps the
 * order of its bytes: its padding would make the index large. It is the expression of src/features/look/record-lists.ts;
 * written out, because a migration never changes.
 */
const NATURAL = `(case
  when rtrim(key, '0123456789') <> translate(rtrim(key, '0123456789'), '0123456789', '')
    then case when length(key) <= 64 and key !~ '([0-9]+[^0-9]+){5}[0-9]'
      then regexp_replace(regexp_replace(key, '([0-9]+)', '000000000000000000\\1', 'g'), '0*([0-9]{18,})', '\\1', 'g')
      else key end
  when key = rtrim(key, '0123456789') then key
  else rtrim(key, '0123456789') || lpad(substr(key, length(rtrim(key, '0123456789')) + 1), greatest(18, length(key) - length(rtrim(key, '0123456789'))), '0')
  end)`;

const LEDGER_INDEXES = [
  // The ledger's side of the digest is read from this index alone.
  `create index sync_state_digest on :schema:.sync_state (entity, key) include (row_version) where vanished_at is null`,
  // The queue: what a claim walks, changes before new.
  `create index sync_state_work on :schema:.sync_state (entity, unacknowledged, key) where sendable`,
  // What status has to look at one by one; everything else is only counted.
  `create index sync_state_unsettled on :schema:.sync_state (entity, key) where not settled`,
  // Settled records by the time of their acknowledgement: `refreshAfter` searches them, `status` counts them.
  `create index sync_state_age on :schema:.sync_state (entity, acknowledged_at) where settled`,
  `create index sync_state_claimed on :schema:.sync_state (claim_token) where claim_token is not null`,
  `create index sync_state_drifted on :schema:.sync_state (entity, key) where drifted_at is not null`,
  // A sweep compares the keys of vanished records too, and each run deletes the old ones. The index of all that is not
  // settled has them as well, but it is as long as the ledger while everything is still to be sent.
  `create index sync_state_vanished on :schema:.sync_state (entity, key) where vanished_at is not null`,
  `create index sync_state_parent on :schema:.sync_state (entity, parent_platform_id) where parent_platform_id is not null`,
  // Children that the platform holds under another parent than the desired one. That parent needs them when it returns
  // with another reference, and before it is deleted. There are few at any time.
  `create index sync_state_moved on :schema:.sync_state (entity, acknowledged_parent_platform_id)
   where acknowledged_parent_platform_id is not null
     and acknowledged_parent_platform_id is distinct from parent_platform_id`,
  `create index sync_state_possible_parents on :schema:.sync_state (entity) where possible_parents is not null`,
  // From the job id of a webhook to the vacancy; the platform's case is not relied on.
  `create index sync_state_vacancy_remote_id on :schema:.sync_state (lower(remote_id))
   where entity = 'vacancies' and remote_id is not null`,
  `create index sync_state_vacancy_reference on :schema:.sync_state (lower(reference))
   where entity = 'vacancies' and reference is not null`,
  // For lists of records, so that a page reads as many entries as it shows: all by key, those that need a correction or
  // are gone by key, and all by their last attempt, those without one first. Records to be sent have an index above.
  `create index sync_state_natural on :schema:.sync_state (entity, ${NATURAL}, key)`,
  `create index sync_state_natural_rest on :schema:.sync_state (entity, ${NATURAL}, key) where not settled and not sendable`,
  `create index sync_state_attempted on :schema:.sync_state (entity, (coalesce(attempted_at, '-infinity')), key)`,
];

/**
 * What sweeps and pushes share.
 * - `staged_finding`: findings of the sweep that is running; worthless after a crash, so it need not survive one.
 * - `entity_state.in_doubt_since`: since when the platform may hold something else than what counts as acknowledged.
 *   `foreign_rows`: rows of the last applied sweep whose application never came by webhook: they are in no other table.
 * - `area_state`: what the last pushes learned about each area of the platform, so that failures in a row count across
 *   runs and every process can show why nothing is sent. `answered_at`: when a push last ended in which the area had
 *   answered. `failing_since`: the first of the failures in a row. `stop_code`: why the last push stopped; null: it did
 *   not. `stopped_at`: since when it has been stopped. `paused_until`: until when the platform asked not to be sent
 *   anything (429 or 503 with `Retry-After`), if that is longer than `retry.maxPause`: a process that starts
 *   meanwhile waits too. Null, or in the past: no pause.
 * - `lease`: keeps two processes apart, also when the database goes back in time (a restored backup, a fail-over to a
 *   replica that was behind), because it then hands out tokens twice. `nonce`: random, new with every acquisition;
 *   `sweep_nonce` and `claim_nonce` are of the one that staged or claimed. `ttl_ms`: for how long it was taken or
 *   renewed last. `renewals`: how often it was taken or renewed, ever; it goes down only with the database. `origin`:
 *   the copy of the database in which it was taken. Null: the server does not show it.
 * - `schedule`: when each schedule is due next, so that a time that passes while nothing runs is not lost.
 */
const SWEEPS_AND_PUSHES = [
  `create unlogged table :schema:.staged_finding (
     seq                bigint generated always as identity primary key,
     sweep_token        bigint not null,
     sweep_nonce        uuid,
     entity             text not null,
     key                text collate "C" not null,
     kind               text not null,
     platform_id        uuid,
     parent_platform_id uuid,
     row_version        text,
     desired_hash       text,
     desired_payload    jsonb,
     noted              jsonb,
     invalid_reason     jsonb,
     expired            boolean not null default false
   )`,
  `create index staged_finding_key on :schema:.staged_finding (sweep_token, entity, key)`,
  `create table :schema:.entity_state (
     entity                  text primary key,
     fingerprint             text,
     last_sweep_at           timestamptz,
     last_full_sweep_at      timestamptz,
     full_sweep_requested_at timestamptz,
     last_success_at         timestamptz,
     foreign_rows            integer not null default 0,
     hold                    jsonb,
     approval                jsonb,
     push_hold               jsonb,
     refused_in_a_row        integer not null default 0,
     accepted_once           boolean not null default false,
     in_doubt_since          timestamptz
   )`,
  `create table :schema:.area_state (
     area              text        primary key,
     failures_in_a_row integer     not null default 0,
     answered_at       timestamptz,
     failing_since     timestamptz,
     last_error        text,
     stop_code         text,
     stop_message      text,
     stop_hint         text,
     stopped_at        timestamptz,
     paused_until      timestamptz
   )`,
  `create table :schema:.environment (
     area      text primary key,
     base_url  text not null,
     client_id text not null,
     namespace uuid not null
   )`,
  `create table :schema:.lease (
     name       text primary key,
     token      bigint not null,
     nonce      uuid not null default gen_random_uuid(),
     holder     text not null,
     expires_at timestamptz not null,
     ttl_ms     double precision,
     renewals   bigint not null default 0,
     origin     text
   )`,
  `create table :schema:.schedule (
     name   text primary key,
     due_at timestamptz not null
   )`,
];

/**
 * Runs, and what the platform answered per entity and hour: in the worker a run is a sweep, so its row has nothing about
 * the push beside it. `push_hour` shows an outage, whichever process was sending. Runs are filtered by outcome; without
 * an index a rare one is searched among all.
 */
const RUNS = [
  `create table :schema:.sync_run (
     run_id      uuid primary key,
     trigger     text not null,
     holder      text not null,
     started_at  timestamptz not null,
     finished_at timestamptz,
     outcome     text,
     exit_code   integer,
     counters    jsonb,
     error       jsonb
   )`,
  `create index sync_run_started on :schema:.sync_run (started_at desc)`,
  `create index sync_run_outcome on :schema:.sync_run (outcome, started_at desc)`,
  `create table :schema:.push_hour (
     entity   text        not null,
     hour     timestamptz not null,
     sent     bigint      not null,
     accepted bigint      not null,
     rejected bigint      not null,
     deferred bigint      not null,
     primary key (entity, hour),
     constraint push_hour_balance check (sent = accepted + rejected + deferred)
   )`,
];

/**
 * The journal: one row for each request about a record that was answered or cut off, added in the transaction that
 * writes its outcome and never changed. It has no payload and nothing of an applicant (docs/report.md).
 * - `key`: as lists name the record; of a status named by an address it is the id of the application.
 * - `parent_platform_id`: the parent under which it was sent, which the record may have left since.
 * - `kind`: `new` (never accepted before), `update`, `close`, `delete`.
 * - `run_id`: null for what the long-running worker sent.
 * - `answered_at`: when the outcome was written; the rows of one group have the same time.
 *
 * The key of the table begins with the time: rows are added at its end, and read and deleted by time. A table without
 * one could not be deleted from while it is published by logical replication.
 *
 * `journal_gap`: stretches of time of which the journal lacks requests, so that a report never says "nothing was sent"
 * where it cannot know. The row that begins at `-infinity` is the beginning of the journal: nothing is known of the time
 * before its `ends`. Deleting old rows moves it on. A state database that went back in time leaves a row of its own.
 */
const JOURNAL = [
  `create table :schema:.delivery (
     entity             text        not null,
     key                text        collate "C" not null,
     platform_id        uuid        not null,
     parent_platform_id uuid,
     kind               text        not null,
     operation          text        not null,
     request_id         uuid        not null,
     payload_hash       text,
     run_id             uuid,
     claimed_at         timestamptz not null,
     answered_at        timestamptz not null,
     status_code        integer,
     outcome            text        not null,
     reason             text,
     primary key (answered_at, request_id)
   )`,
  `create index delivery_record on :schema:.delivery (platform_id)`,
  `create table :schema:.journal_gap (
     begins timestamptz primary key,
     ends   timestamptz not null
   )`,
  `insert into :schema:.journal_gap (begins, ends) values ('-infinity', now())`,
];

/**
 * The webhook's inbox. Columns and indexes of `job_application` are an interface for the partner's own code
 * (docs/webhook.md).
 *
 * The body is text, because jsonb refuses some JSON (`\u0000`, half surrogate pairs); `body_bytes` is there only when
 * the text does not give the bytes again (not UTF-8, or with a byte order mark). Two unique indexes are the rule of
 * repeats: a new application by its id, anything else by Request-Id and body, hashed because an index entry has a
 * largest size and a header has none that would fit. `statement_ran`: whether the partner's statement ran with it.
 *
 * `unstored_webhook`: which authentic webhooks could not be stored. A row leaves when the same application is stored
 * after all. It has nothing of the applicant.
 */
const INBOX = [
  `create table :schema:.job_application (
     id                bigint      generated always as identity primary key,
     received_at       timestamptz not null default clock_timestamp(),
     layout            text        not null check (layout in ('applied-at', 'flat', 'unrecognised')),
     application_id    uuid,
     job_id            uuid,
     job_title         text,
     vacancy_key       text,
     name              text,
     email             text,
     phone             text,
     gender            text,
     birth_date        date,
     birth_place       text,
     age               smallint,
     province          text,
     city              text,
     applied_at        timestamptz,
     skills            jsonb       not null default '[]',
     experiences       jsonb       not null default '[]',
     trainings         jsonb       not null default '[]',
     educations        jsonb       not null default '[]',
     certifications    jsonb       not null default '[]',
     achievements      jsonb       not null default '[]',
     languages         jsonb       not null default '[]',
     request_id        text        not null,
     request_timestamp timestamptz not null,
     body              text        not null,
     body_bytes        bytea,
     delivery_hash     text        not null,
     statement_ran     boolean,
     constraint job_application_recognised check ((layout = 'unrecognised') = (application_id is null))
   )`,
  `create unique index job_application_application on :schema:.job_application (application_id) where application_id is not null`,
  `create unique index job_application_delivery on :schema:.job_application (delivery_hash) where application_id is null`,
  `create index job_application_applicant on :schema:.job_application (vacancy_key, lower(email)) where application_id is not null`,
  `create index job_application_received on :schema:.job_application (received_at)`,
  `create index job_application_unresolved on :schema:.job_application (job_id) where vacancy_key is null and job_id is not null`,
  `create table :schema:.unstored_webhook (
     webhook     text        primary key,
     layout      text        not null,
     vacancy_key text,
     first_at    timestamptz not null default clock_timestamp(),
     last_at     timestamptz not null default clock_timestamp(),
     attempts    integer     not null default 1,
     reason      text        not null
   )`,
  `create index unstored_webhook_last on :schema:.unstored_webhook (last_at)`,
];

/**
 * - `notice`: what each way of notification remembers of each trouble: a row stays while there is something to remember.
 * - `observation`: what `probe` last saw of each assumption about a platform: names and types of fields, no values of a
 *   record. `environment`: address and client id, because staging and production may answer differently.
 */
const NOTICES_AND_PROBES = [
  `create table :schema:.notice (
     way             text        not null,
     subject         text        not null,
     trouble         text        not null,
     state           text        not null,
     notice_id       uuid        not null,
     since           timestamptz not null,
     reason          text        not null,
     help            text        not null,
     changed_at      timestamptz not null,
     quiet_until     timestamptz,
     told_at         timestamptz,
     attempts        integer     not null default 0,
     next_attempt_at timestamptz,
     claimed_until   timestamptz,
     in_doubt        boolean     not null default false,
     primary key (way, subject, trouble)
   )`,
  `create table :schema:.observation (
     environment text        not null,
     id          text        not null,
     result      text        not null,
     seen        text        not null,
     observed_at timestamptz not null default clock_timestamp(),
     primary key (environment, id)
   )`,
];
