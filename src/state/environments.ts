import type { Environment, Environments } from '../ports/environments.js';
import type { StateDatabase, Statements } from './state-database.js';

export function createEnvironments(database: StateDatabase): Environments {
  const write = async (statements: Statements, environments: readonly Environment[], conflict: string) => {
    for (const { area, baseUrl, clientId, namespace } of environments) {
      await statements.query(
        `insert into :schema:.environment (area, base_url, client_id, namespace) values (:area, :baseUrl, :clientId, :namespace)
         on conflict (area) ${conflict}`,
        { area, baseUrl, clientId, namespace },
      );
    }
  };
  const REPLACE =
    'do update set base_url = excluded.base_url, client_id = excluded.client_id, namespace = excluded.namespace';

  return {
    read: () =>
      database.query<Environment>(
        'select area, base_url as "baseUrl", client_id as "clientId", namespace from :schema:.environment',
      ),
    add: (environments) => write(database, environments, 'do nothing'),
    keep: (environments) => write(database, environments, REPLACE),
    reset: (environments, entities) =>
      database.transaction(async (statements) => {
        await write(statements, environments, REPLACE);
        // What vanished has nothing to say to another platform.
        await statements.query(
          'delete from :schema:.sync_state where entity = any(:entities) and vanished_at is not null',
          { entities },
        );
        const rows = await statements.query(
          `update :schema:.sync_state set
             reference = null, remote_id = null, acknowledged_hash = null, acknowledged_payload = null,
             acknowledged_at = null, refused_hash = null, attempts = 0, attempted_at = null, claim_token = null,
             confirm_at = null, next_attempt_at = null, last_request_id = null, last_status_code = null, last_error = null
           where entity = any(:entities) returning 1`,
          { entities },
        );
        await statements.query(
          `update :schema:.entity_state set fingerprint = null, push_hold = null, refused_in_a_row = 0,
             accepted_once = false, last_success_at = null where entity = any(:entities)`,
          { entities },
        );
        return rows.length;
      }),
  };
}
