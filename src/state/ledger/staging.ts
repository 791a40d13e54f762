import type { Displaced, Renaming, Staging } from '../../ports/ledger.js';
import type { StateDatabase } from '../database/state-database.js';
import { fenceParameters, heldLeaseSql, leaseNotHeld, withLease } from '../lease.js';
import { OWN_FINDINGS } from './status-sql.js';
import { createPublish } from './publish.js';

/** From this many findings on, what is left of them in the table costs more than to remove it. */
const VACUUM_FROM = 1_000;

/** From this many findings on, the planner needs statistics. */
const ANALYZE_FROM = 1_000;

export function createStaging(database: StateDatabase): Staging {
  return {
    // Not truncate: it waits for every reader, and a dump of the database reads for an hour. While we hold the lease no
    // other process stages, so every row is left over.
    async clear(fence, count = 0) {
      await withLease(database, 'sweep', fence, (statements) =>
        statements.query('delete from :schema:.staged_finding'),
      );
      // Each later sweep would read the dead rows of this one.
      if (count >= VACUUM_FROM) await database.tidy('vacuum (skip_locked) :schema:.staged_finding');
    },

    async complete(count) {
      if (count >= ANALYZE_FROM)
        await database.query('analyze :schema:.staged_finding (sweep_token, entity, key, kind, platform_id)');
    },

    async stage(fence, entity, findings) {
      if (findings.length === 0) return;
      const staged = await database.query(
        `insert into :schema:.staged_finding
           (sweep_token, sweep_nonce, entity, key, kind, platform_id, parent_platform_id, row_version, desired_hash, desired_payload, invalid_reason, noted, expired)
         select cast(:token as bigint), cast(:nonce as uuid), :entity, f."key", f."kind", f."platformId", f."parentPlatformId", f."rowVersion",
           f."desiredHash", nullif(f."desiredPayload", 'null'), nullif(f."invalidReason", 'null'), nullif(f."noted", 'null'), coalesce(f."expired", false)
         from jsonb_to_recordset(cast(:findings as jsonb)) as f(
           "key" text, "kind" text, "platformId" uuid, "parentPlatformId" uuid, "rowVersion" text,
           "desiredHash" text, "desiredPayload" jsonb, "invalidReason" jsonb, "noted" jsonb, "expired" boolean)
         where exists (select 1 from :schema:.lease where ${heldLeaseSql('sweep')}) returning 1`,
        { ...fenceParameters(fence), entity, findings: JSON.stringify(findings) },
      );
      if (staged.length === 0) throw leaseNotHeld('sweep');
    },

    doubled: (fence, entity, idsMayDiffer) =>
      database.query<Displaced>(
        `select min(f.key) as "from", max(f.key) as "to", f.platform_id as "platformId"
         from :schema:.staged_finding f
         where ${ownIn('f')} and f.entity = :entity and ${judged(idsMayDiffer)}
         group by f.platform_id having count(*) > 1 limit 1`,
        { ...fenceParameters(fence), entity },
      ),

    displaced: (fence, entity, idsMayDiffer) =>
      database.query<Displaced>(
        `select s.key as "from", f.key as "to", f.platform_id as "platformId" from :schema:.staged_finding f
         join :schema:.sync_state s on s.entity = f.entity and s.platform_id = f.platform_id
         where ${ownIn('f')} and f.entity = :entity and ${judged(idsMayDiffer)}
           and s.key <> f.key and s.vanished_at is null
           and not exists (select 1 from :schema:.staged_finding v
             where ${ownIn('v')} and v.entity = :entity and v.kind = 'vanished' and v.key = s.key)`,
        { ...fenceParameters(fence), entity },
      ),

    async resolveRenamings(fence, entity, idsMayDiffer) {
      const parameters = { ...fenceParameters(fence), entity };
      const renamings = await database.query<Renaming>(
        `select s.key as "from", f.key as "to",
           s.vanished_at is null and exists (select 1 from :schema:.staged_finding v
             where ${ownIn('v')} and v.entity = :entity and v.kind = 'vanished' and v.key = s.key) as "vanishedNow",
           f.kind = 'new' as "wasNew"
         from :schema:.staged_finding f
         join :schema:.sync_state s on s.entity = f.entity and s.platform_id = f.platform_id and s.key <> f.key
         where ${ownIn('f')} and f.entity = :entity
           and ${judged(idsMayDiffer)}`,
        parameters,
      );
      if (renamings.length === 0) return { renamings, removed: 0 };
      const removed = await database.transaction(async (statements) => {
        const gone = await statements.query(
          `delete from :schema:.staged_finding
           where ${OWN_FINDINGS} and kind = 'vanished' and key = any(:keys) returning 1`,
          { ...parameters, keys: renamings.map(({ from }) => from) },
        );
        await statements.query(
          `update :schema:.staged_finding set kind = 'changed'
           where ${OWN_FINDINGS} and kind = 'new' and key = any(:keys)`,
          { ...parameters, keys: renamings.map(({ to }) => to) },
        );
        return gone.length;
      });
      return { renamings, removed };
    },

    async sampleKeys(fence, entity, kind, count) {
      const rows = await database.query<{ key: string }>(
        `select f.key from :schema:.staged_finding f
         where ${ownIn('f')} and f.entity = :entity and f.kind = :kind
         order by f.expired, f.seq limit :count`,
        { ...fenceParameters(fence), entity, kind, count },
      );
      return rows.map(({ key }) => key);
    },

    publish: createPublish(database),
  };
}

const ownIn = (f: string) => `${f}.sweep_token = :token and ${f}.sweep_nonce = :nonce`;

/** SQL: whether the finding in alias `f` has a platform id that may belong to another record. */
function judged(idsMayDiffer: boolean): string {
  return idsMayDiffer ? `f.kind <> 'vanished'` : `f.kind not in ('vanished', 'touched')`;
}
