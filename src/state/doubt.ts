import type { EntityName } from '../domain/entity-name.js';
import { ENTITIES } from '../entities/index.js';
import { confirmLater } from './confirm-later.js';
import type { Statements } from './state-database.js';

/** What can be read back or sent again without harm; application statuses cannot. */
const DOUBTED = ENTITIES.filter(({ repeatable }) => repeatable).map(({ name }) => name);

/** The database went back in time: what counts as acknowledged may not be what the platform holds. */
export async function noteDoubt(statements: Statements): Promise<void> {
  await statements.query(
    `insert into :schema:.entity_state (entity, in_doubt_since)
     select doubted.name, clock_timestamp() from unnest(cast(:doubted as text[])) as doubted(name)
     where exists (select 1 from :schema:.sync_state s where s.entity = doubted.name)
     on conflict (entity) do update set in_doubt_since = excluded.in_doubt_since`,
    { doubted: DOUBTED },
  );
}

/**
 * Nothing is believed any more of records that are not settled: nobody can read them back and compare. They are sent
 * when they may be, whatever was acknowledged. What is under way ends like an attempt without reply: a request of before
 * may have come after it. What vanished stays as it is, unless something of it is to be sent, or it is only reported.
 */
export async function distrustUnsettled(
  statements: Statements,
  entity: EntityName,
  timeoutMs: number,
): Promise<void> {
  await statements.query(
    `update :schema:.sync_state s set
       confirm_at = ${confirmLater('s', ':timeout')}, acknowledged_hash = null, claim_token = null
     where s.entity = :entity and (s.claim_token is not null
       or (not s.settled and s.acknowledged_hash is not null
         and (s.vanished_at is null or s.desired_hash is distinct from s.acknowledged_hash)))`,
    { entity, timeout: timeoutMs },
  );
}
