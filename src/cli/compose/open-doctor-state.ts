import type { LoadedConfig } from '../../config/load.js';
import { SyncError } from '../../domain/errors.js';
import type { DoctorPorts } from '../../onboarding/doctor/doctor-ports.js';
import { unknown } from '../../onboarding/doctor/learned.js';
import type { State } from '../../ports/state.js';
import { createState } from '../../state/create-state.js';
import { createStateDatabase, type StateDatabase } from '../../state/database/state-database.js';
import type { ConfiguredEntity } from '../../sync/run-context.js';
import { configuredEnvironments, environmentDifferences } from '../../sync/environment.js';
import { locatorOf } from '../../sync/sweep/examine-row.js';
import { checkSchema } from './open-state.js';
import { runSettings } from './run-settings.js';

/** Doctor waits no longer for a state database that it does not need. */
const LIMITS = { poolMax: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 3_000 };

export interface DoctorState {
  readonly read: DoctorPorts['readState'];
  readonly findApplications: DoctorPorts['findApplications'];
  close(): Promise<void>;
}

/** The state database for doctor: read only, and only as far as it is there. Connects when asked. */
export function openDoctorState(
  config: LoadedConfig,
  entities: readonly ConfiguredEntity[],
  signal: AbortSignal,
): DoctorState {
  const database = createStateDatabase({ ...config.settings.state, ...LIMITS });
  database.endAfter(signal);
  /** Null: it has no usable tables. */
  let state: State | null = null;
  let cause = 'the state database was not read';

  return {
    async read() {
      try {
        await checkSchema(database);
      } catch (error) {
        if (!(error instanceof SyncError) || signal.aborted) throw error;
        cause = error.message;
        if (error.code !== 'schema-not-migrated') return unknown(error.message, error.hint);
        return {
          value: { unmigrated: error.message, mayCreate: await mayCreate(database), differences: [] },
        };
      }
      state = createState(database);
      const known = await state.environments.read();
      const configured = configuredEnvironments(runSettings(config)).filter(
        ({ area }) => !config.unsetCredentials.has(area),
      );
      const differences = environmentDifferences(known, configured);
      return { value: { unmigrated: null, mayCreate: null, differences } };
    },

    async findApplications({ name, requireInbox }, rows) {
      const entity = entities.find((each) => each.name === name);
      if (entity === undefined) return unknown(`${name} is not configured`);
      if (state === null && requireInbox) return unknown(`the inbox cannot be read: ${cause}`);
      try {
        return { value: await locatorOf(entity, (state ?? createState(database)).inbox)(rows) };
      } catch (error) {
        if (signal.aborted) throw error;
        return unknown(`the inbox cannot be read: ${(error as Error).message}`);
      }
    },

    close: () => database.close(),
  };
}

/** Whether the role may make the schema and its tables. Null: it cannot be asked. */
async function mayCreate(database: StateDatabase): Promise<boolean | null> {
  try {
    const [row] = await database.query<{ may: boolean }>(
      `select not pg_catalog.pg_is_in_recovery() and coalesce(
         (select pg_catalog.has_schema_privilege(n.oid, 'create') from pg_catalog.pg_namespace n
          where n.nspname = :name),
         pg_catalog.has_database_privilege(pg_catalog.current_database(), 'create')) as may`,
      { name: database.schema },
    );
    return row?.may ?? null;
  } catch {
    return null;
  }
}
