import type { Knex } from 'knex';

/**
 * The ledger and what surrounds it. `differs`-like facts are stored generated columns, because the planner
 * estimates `IS DISTINCT FROM` between two columns at 99.5 % and then scans the whole table for a claim.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });

  await run(`
    create table :schema:.sync_state (
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
      acknowledged_hash    text,
      acknowledged_payload jsonb,
      acknowledged_at      timestamptz,
      refused_hash         text,
      invalid_reason       jsonb,
      vanished_at          timestamptz,
      attempts             integer     not null default 0,
      attempted_at         timestamptz,
      claim_token          bigint,
      confirm_at           timestamptz,
      next_attempt_at      timestamptz,
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
    )`);
  // The ledger's side of the digest is read from this index alone.
  await run(
    `create index sync_state_digest on :schema:.sync_state (entity, key) include (row_version) where vanished_at is null`,
  );
  // The queue: what a claim walks, changes before new.
  await run(
    `create index sync_state_work on :schema:.sync_state (entity, unacknowledged, key) where sendable`,
  );
  // What status has to look at one by one; everything else is only counted.
  await run(`create index sync_state_unsettled on :schema:.sync_state (entity, key) where not settled`);
  await run(`create index sync_state_settled on :schema:.sync_state (entity) where settled`);
  await run(
    `create index sync_state_claimed on :schema:.sync_state (claim_token) where claim_token is not null`,
  );
  await run(
    `create index sync_state_parent on :schema:.sync_state (entity, parent_platform_id) where parent_platform_id is not null`,
  );

  await run(`
    create table :schema:.entity_state (
      entity                  text primary key,
      fingerprint             text,
      last_sweep_at           timestamptz,
      last_full_sweep_at      timestamptz,
      full_sweep_requested_at timestamptz,
      last_success_at         timestamptz,
      hold                    jsonb,
      approval                jsonb,
      push_hold               jsonb,
      refused_in_a_row        integer not null default 0,
      accepted_once           boolean not null default false
    )`);

  // Findings of the sweep that is running; worthless after a crash, so it need not survive one.
  await run(`
    create unlogged table :schema:.staged_finding (
      seq                bigint generated always as identity primary key,
      sweep_token        bigint not null,
      entity             text not null,
      key                text collate "C" not null,
      kind               text not null,
      platform_id        uuid,
      parent_platform_id uuid,
      row_version        text,
      desired_hash       text,
      desired_payload    jsonb,
      invalid_reason     jsonb
    )`);
  await run(`create index staged_finding_key on :schema:.staged_finding (sweep_token, entity, key)`);

  await run(`
    create table :schema:.sync_run (
      run_id      uuid primary key,
      trigger     text not null,
      holder      text not null,
      started_at  timestamptz not null,
      finished_at timestamptz,
      outcome     text,
      exit_code   integer,
      counters    jsonb,
      error       jsonb
    )`);
  await run(`create index sync_run_started on :schema:.sync_run (started_at desc)`);

  await run(`
    create table :schema:.lease (
      name       text primary key,
      token      bigint not null,
      holder     text not null,
      expires_at timestamptz not null
    )`);

  await run(`
    create table :schema:.environment (
      area      text primary key,
      base_url  text not null,
      client_id text not null,
      namespace uuid not null
    )`);
}

export async function down(knex: Knex, schema: string): Promise<void> {
  for (const table of ['environment', 'lease', 'sync_run', 'staged_finding', 'entity_state', 'sync_state']) {
    await knex.raw('drop table :table:', { table: `${schema}.${table}` });
  }
}
