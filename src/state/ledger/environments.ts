import type { PlatformEnvironment, Environments } from '../../ports/environments.js';
import { checkLease, requireLease } from '../lease/held-lease.js';
import { forgetAcknowledgements, forgetRecords } from './forget-acknowledgements.js';
import type { StateDatabase, Statements } from '../database/state-database.js';

export function createEnvironments(database: StateDatabase): Environments {
  const write = async (
    statements: Statements,
    environments: readonly PlatformEnvironment[],
    conflict: string,
  ) => {
    for (const { area, baseUrl, clientId, namespace } of environments) {
      await statements.query(
        `insert into :schema:.environment (area, base_url, client_id, namespace) values (:area, :baseUrl, :clientId, :namespace)
         on conflict (area) ${conflict}`,
        { area, baseUrl, clientId, namespace },
      );
    }
  };
  /** What was learned about the former address or credentials says nothing about the new ones. */
  const forgetTroubles = (statements: Statements, environments: readonly PlatformEnvironment[]) =>
    statements.query('delete from :schema:.area_state where area = any(:areas)', {
      areas: environments.map(({ area }) => area),
    });
  const REPLACE =
    'do update set base_url = excluded.base_url, client_id = excluded.client_id, namespace = excluded.namespace';

  const read = () =>
    database.query<PlatformEnvironment>(
      'select area, base_url as "baseUrl", client_id as "clientId", namespace from :schema:.environment',
    );

  return {
    read,
    add: (environments) => write(database, environments, 'do nothing'),
    keep: (fence, environments) =>
      database.transaction(async (statements) => {
        await checkLease(statements, 'push', fence);
        await write(statements, environments, REPLACE);
        await forgetTroubles(statements, environments);
      }),
    // The environment is written last: after a kill before that, the former one remains and the reset runs again.
    async reset(fence, environments, entities) {
      const known = await read();
      let kept = 0;
      for (const { name, area, repeatable } of entities) {
        await requireLease(database, 'push', fence);
        const now = environments.find((one) => one.area === area);
        const before = known.find((one) => one.area === area);
        // Ids of another namespace are invalid: a push before the next sweep must not use them.
        // Statuses too: their applications belong to the former platform.
        if (now?.namespace !== before?.namespace || !repeatable) await forgetRecords(database, name);
        else kept += await forgetAcknowledgements(database, name);
      }
      await database.transaction(async (statements) => {
        await checkLease(statements, 'push', fence);
        await statements.query(
          `update :schema:.entity_state set fingerprint = null, push_hold = null, refused_in_a_row = 0,
             accepted_once = false, last_success_at = null, in_doubt_since = null where entity = any(:entities)`,
          { entities: entities.map(({ name }) => name) },
        );
        await write(statements, environments, REPLACE);
        await forgetTroubles(statements, environments);
      });
      return kept;
    },
  };
}
