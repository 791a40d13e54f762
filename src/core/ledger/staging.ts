import type { HeldParents } from '../domain/guard.js';
import type { Issue } from '../domain/issue.js';
import type { EntityName } from '../domain/names.js';
import type { JsonObject } from '../domain/row.js';
import type { Fence } from '../ports/clock.js';
import type { StateDatabase } from './database/state-database.js';
import { fenceParameters, heldLeaseSql, leaseNotHeld, withLease } from './lease.js';
import { OWN_FINDINGS } from './status-sql.js';
import { createPublish, type Renaming } from './publish.js';

/**
 * Findings wait in an unlogged table until the guards have judged them. There a sweep looks for ids that two records have, and
 * for records that only got another key. One sweep at a time: the fence is the sweep lease's.
 */

/**
 * One finding of a sweep, not yet published.
 * - `new`, `changed`: a payload that is desired from now on.
 * - `touched`: only the row version differs.
 * - `invalid`: not sent; what was desired before stays stored.
 * - `vanished`: no longer in the source; `desiredHash` null: nothing is desired any more. `parentPlatformId` null:
 * unchanged.
 */
export interface StagedFinding {
  readonly kind: 'new' | 'changed' | 'touched' | 'invalid' | 'vanished';
  readonly key: string;
  readonly platformId: string | null;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly desiredHash: string | null;
  readonly desiredPayload: JsonObject | null;
  readonly invalidReason: readonly Issue[] | null;
  /** What the map needs at the next sweep; null: nothing. */
  readonly noted?: JsonObject | null;
  /** Vanished, and its last day was over. */
  readonly expired?: true;
}

/** Two keys of one platform id. */
export interface Displaced {
  readonly from: string;
  readonly to: string;
  readonly platformId: string;
}

export type Staging = ReturnType<typeof createStaging>;

/** From this many findings on, what is left of them in the table costs more than to remove it. */
const VACUUM_FROM = 1_000;

/** From this many findings on, the planner needs statistics. */
const ANALYZE_FROM = 1_000;

export function createStaging(database: StateDatabase) {
  return {
    /**
     * Deletes everything staged; `count`: how many findings that is, if it is known, because after many the table is tidied
     * too. Errors: SyncError `lease-lost`, so that a newer sweep keeps its findings.
     */
    async clear(fence: Fence, count = 0) {
      // Not truncate: it waits for every reader, and a dump of the database reads for an hour. While we hold the lease no
      // other process stages, so every row is left over.
      await withLease(database, 'sweep', fence, (statements) =>
        statements.query('delete from :schema:.staged_finding'),
      );
      // Each later sweep would read the dead rows of this one.
      if (count >= VACUUM_FROM) await database.tidy('vacuum (skip_locked) :schema:.staged_finding');
    },

    /** Everything is staged: refreshes the planner's statistics, without which `count` findings may take hours. */
    async complete(count: number) {
      if (count >= ANALYZE_FROM)
        await database.query('analyze :schema:.staged_finding (sweep_token, entity, key, kind, platform_id)');
    },

    /** Errors: SyncError `lease-lost`. */
    async stage(fence: Fence, entity: EntityName, findings: readonly StagedFinding[]) {
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

    /**
     * Two staged keys with one platform id; at most one pair. `idsMayDiffer`: the ledger's ids may have been made with
     * another namespace; if not, `touched` records are left out.
     */
    doubled: (fence: Fence, entity: EntityName, idsMayDiffer: boolean) =>
      database.query<Displaced>(
        `select min(f.key) as "from", max(f.key) as "to", f.platform_id as "platformId"
         from :schema:.staged_finding f
         where ${ownIn('f')} and f.entity = :entity and ${judged(idsMayDiffer)}
         group by f.platform_id having count(*) > 1 limit 1`,
        { ...fenceParameters(fence), entity },
      ),

    /** Known keys without a `vanished` finding whose platform id is staged under another key. */
    displaced: (fence: Fence, entity: EntityName, idsMayDiffer: boolean) =>
      database.query<Displaced>(
        `select s.key as "from", f.key as "to", f.platform_id as "platformId" from :schema:.staged_finding f
         join :schema:.sync_state s on s.entity = f.entity and s.platform_id = f.platform_id
         where ${ownIn('f')} and f.entity = :entity and ${judged(idsMayDiffer)}
           and s.key <> f.key and s.vanished_at is null
           and not exists (select 1 from :schema:.staged_finding v
             where ${ownIn('v')} and v.entity = :entity and v.kind = 'vanished' and v.key = s.key)`,
        { ...fenceParameters(fence), entity },
      ),

    /** Finds renamed keys and turns each pair of `vanished` and `new` into one `changed`. `removed`: findings it took out. */
    async resolveRenamings(fence: Fence, entity: EntityName, idsMayDiffer: boolean) {
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

    /** The first of them; expired ones, which no guard counts, come last. */
    async sampleKeys(fence: Fence, entity: EntityName, kind: StagedFinding['kind'], count: number) {
      const rows = await database.query<{ key: string }>(
        `select f.key from :schema:.staged_finding f
         where ${ownIn('f')} and f.entity = :entity and f.kind = :kind
         order by f.expired, f.seq limit :count`,
        { ...fenceParameters(fence), entity, kind, count },
      );
      return rows.map(({ key }) => key);
    },

    /** Whose the findings are that a guard counts: parents, the largest first. Null: none has a parent. */
    async parents(
      fence: Fence,
      entity: EntityName,
      kind: StagedFinding['kind'],
      parent: { readonly entity: EntityName; readonly label: string | null },
    ): Promise<HeldParents | null> {
      const [found] = await database.query<{
        parents: number;
        count: number;
        most: number;
        name: string | null;
      }>(
        `with counted as (
           select coalesce(f.parent_platform_id, s.parent_platform_id) as parent, count(*) as records
           from :schema:.staged_finding f
             left join :schema:.sync_state s on s.entity = f.entity and s.key = f.key
           where ${ownIn('f')} and f.entity = :entity and f.kind = :kind and not f.expired group by 1
         )
         select cast(count(*) over () as integer) as parents, cast(sum(c.records) over () as integer) as count,
           cast(c.records as integer) as most,
           coalesce(p.desired_payload, p.acknowledged_payload) ->> cast(:label as text) as name
         from counted c left join :schema:.sync_state p on p.entity = :parent and p.platform_id = c.parent
         where c.parent is not null order by c.records desc, c.parent limit 1`,
        { ...fenceParameters(fence), entity, kind, parent: parent.entity, label: parent.label },
      );
      if (!found) return null;
      const { parents, count, most, name } = found;
      return { entity: parent.entity, parents, count, most: { name, count: most } };
    },

    publish: createPublish(database),
  };
}

const ownIn = (f: string) => `${f}.sweep_token = :token and ${f}.sweep_nonce = :nonce`;

/** SQL: whether the finding in alias `f` has a platform id that may belong to another record. */
function judged(idsMayDiffer: boolean): string {
  return idsMayDiffer ? `f.kind <> 'vanished'` : `f.kind not in ('vanished', 'touched')`;
}
