import { exchange } from '../../core/push/exchange.js';
import { randomUUID } from 'node:crypto';
import type { LoadedConfig } from '../../core/config/load.js';
import { operationEnabled } from '../../core/config/rules.js';
import { dialectOf } from '../../core/config/schema.js';
import { platformDay } from '../../core/contract/time.js';
import { SyncError } from '../../core/domain/errors.js';
import type { Area, EntityName } from '../../core/domain/names.js';
import { plural } from '../../core/domain/text.js';
import { ENTITIES, entity as entityNamed } from '../../core/entities/index.js';
import type { AreaFacts, DoctorPorts, TriedFind } from '../../features/doctor/facts.js';
import { type Finding, unread } from '../../features/doctor/finding.js';
import { runDoctor } from '../../features/doctor/run-doctor.js';
import {
  type ClientCertificateFiles,
  describeCertificate,
  readClientCertificate,
} from '../../core/runtime/client-certificate.js';
import { createState, type State } from '../../features/create-state.js';
import { encodingFault } from '../../core/ledger/database/encoding.js';
import { type ReadOnlyState, whyReadOnly } from '../../core/ledger/database/read-only.js';
import { createStateDatabase, type StateDatabase } from '../../core/ledger/database/state-database.js';
import { configuredEnvironments, environmentDifferences } from '../../core/run/environment.js';
import { withWork } from '../../core/leases.js';
import type { ConfiguredEntity, RunContext } from '../../core/context.js';
import { locatorOf } from '../../core/sweep/examine-row.js';
import { configuredEntities, platformReferences } from './configured-entities.js';
import { adapterDoor, configuredArea, type OpenedPlatforms, openPlatforms } from './open-platforms.js';
import { openSource } from './open-source.js';
import { checkSchema, runSettings } from './open-state.js';
import { systemClock } from './package-info.js';
import { keepHeapSmall } from './open-run.js';

/** Longest statement beside the reading of rows. */
const STATEMENT_MS = 30_000;
/** How long statements about the query of an entity are begun. The number of joins decides how many there are. */
const INSPECT_MS = 120_000;
/** Longest reading of the rows of an entity; what was read until then is judged. */
const PASS_MS = 120_000;

/**
 * Opens what doctor looks at, as far as it is there (the source, the ledger, each area of the platform), lets it look, and
 * gives its findings. `entity`: names; empty: all configured ones. Errors: SyncError `usage`.
 */
export async function doctorFindings(
  config: LoadedConfig,
  { emit, signal, entity }: Pick<RunContext, 'emit' | 'signal'> & { readonly entity: readonly string[] },
): Promise<readonly Finding[]> {
  keepHeapSmall();
  const { source: sourceSettings, platform, guards } = config.settings;
  const entities = configuredEntities(config, entity);
  const configured = configuredEntities(config);
  const source = openSource(config);
  const platforms = openPlatforms(config);
  const state = openDoctorState(config, configured, signal);
  try {
    return await runDoctor(
      {
        entities,
        configured,
        areas: [...new Set(entities.map(({ area }) => area))],
        settings: {
          source: sourceSettings,
          platformTimeZone: platform.timeZone,
          references: platformReferences(),
          maxInvalidPercent: guards.maxInvalidPercent,
          today: platformDay(systemClock.now(), platform.timeZone),
        },
        statementMs: STATEMENT_MS,
        inspectMs: INSPECT_MS,
        passMs: PASS_MS,
      },
      {
        source,
        ...state.ports,
        tryArea: (area) => tryArea(config, platforms, area),
        signal,
        during: (work, task) => withWork(emit, work, task),
      },
    );
  } finally {
    await Promise.allSettled([source.close(), platforms.close(), state.close()]);
  }
}

/** Doctor waits no longer for a state database that it does not need. */
const LIMITS = { poolMax: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 3_000 };

/** The state database for doctor: read only, and only as far as it is there. Connects when asked. */
function openDoctorState(config: LoadedConfig, entities: readonly ConfiguredEntity[], signal: AbortSignal) {
  const database = createStateDatabase({ ...config.settings.state, ...LIMITS });
  database.endAfter(signal);
  /** Null: it has no usable tables. */
  let state: State | null = null;
  let cause = 'the state database was not read';

  const ports: Pick<DoctorPorts, 'readState' | 'findApplications'> = {
    async readState() {
      let readOnly: ReadOnlyState | null;
      try {
        await checkSchema(database);
        readOnly = await whyReadOnly(database);
      } catch (error) {
        if (!(error instanceof SyncError) || signal.aborted) throw error;
        cause = error.message;
        if (error.code !== 'schema-not-migrated') return unread(error.message, error.hint);
        const unfit = await encodingFault(database);
        const made = { unfit, mayCreate: await mayCreate(database) };
        return { value: { unmigrated: error.message, differences: [], ...made } };
      }
      state = createState(database);
      const known = await state.environments.read();
      const configured = configuredEnvironments(runSettings(config)).filter(
        ({ area }) => !config.unsetCredentials.has(area),
      );
      const differences = environmentDifferences(known, configured);
      const unfit = await encodingFault(database);
      return { value: { unmigrated: null, unfit, mayCreate: null, differences, readOnly } };
    },

    async findApplications({ name, requireInbox }, rows) {
      const entity = entities.find((each) => each.name === name);
      if (entity === undefined) return unread(`${name} is not configured`);
      if (state === null && requireInbox) return unread(`the inbox cannot be read: ${cause}`);
      try {
        return { value: await locatorOf(entity, (state ?? createState(database)).inbox)(rows) };
      } catch (error) {
        if (signal.aborted) throw error;
        return unread(`the inbox cannot be read: ${(error as Error).message}`);
      }
    },
  };
  return { ports, close: () => database.close() };
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

/**
 * One Find of each configured kind of the area, with an id that nobody has: it changes nothing, and shows whether the
 * signature is accepted. Ends at the first request without a reply, because the others would wait as long.
 */
async function tryArea(
  config: LoadedConfig,
  platforms: Pick<OpenedPlatforms, 'platform' | 'rateLimit'>,
  area: Area,
): Promise<AreaFacts> {
  const settings = configuredArea(config.settings, area);
  const facts = {
    area,
    baseUrl: settings.baseUrl,
    clientCertificate: clientCertificateFacts(config.transport[area]?.clientCertificate ?? null),
    adapter: await adapterFacts(config, area),
  };
  const unset = config.unsetCredentials.get(area) ?? [];
  if (unset.length > 0) {
    const variables = plural(unset.length, 'variable', 'variables');
    const are = plural(unset.length, 'is', 'are');
    return {
      ...facts,
      finds: [],
      untried: `the environment ${variables} ${unset.join(', ')} ${are} not set`,
    };
  }
  const isReadable = findEnabled(config);
  const readable = ENTITIES.filter(
    (entity) => entity.area === area && entity.readBack && isReadable(entity.name),
  );
  const configured = readable.filter(({ name }) => config.entities.has(name));
  // Application statuses have no Find of their own; one of another entity proves the signature as well.
  const kinds = configured.length > 0 ? configured : readable.slice(0, 1);
  const finds: TriedFind[] = [];
  const { platform } = platforms;
  const lane = { platform, clock: systemClock, area, rateLimit: platforms.rateLimit(area, 0) };
  for (const { name, readBack } of kinds) {
    if (readBack === null) continue;
    const operation = readBack.find;
    const request = { operation, platformId: randomUUID(), requestId: randomUUID(), body: null };
    const reply = await exchange(lane, request, { mayLeave: () => true, judge: (one) => one });
    if (reply === null) break;
    finds.push({ entity: name, operation, reply });
    if (reply.kind !== 'answered') break;
  }
  return {
    ...facts,
    finds,
    untried: finds.length === 0 ? 'no Find is enabled (platform.operations)' : null,
  };
}

async function adapterFacts(config: LoadedConfig, area: Area): Promise<AreaFacts['adapter']> {
  const file = config.transport[area]?.adapter ?? null;
  const functions = await adapterDoor(config, area)?.functions();
  if (file === null || functions === undefined) return null;
  return 'failure' in functions ? { file, problem: functions.failure } : { file, functions };
}

/** As the files are now: somebody may have renewed them. */
function clientCertificateFacts(files: ClientCertificateFiles | null): AreaFacts['clientCertificate'] {
  if (files === null) return null;
  const { cert: file } = files;
  try {
    const known = describeCertificate(readClientCertificate(files).cert);
    return { file, ...known, leftMs: known.validTo.getTime() - systemClock.now() };
  } catch (error) {
    return { file, problem: (error as Error).message };
  }
}

/** Whether the records of an entity may be read back: a Find exists, and the configuration does not disable it. */
export function findEnabled({ settings }: LoadedConfig): (name: EntityName) => boolean {
  return (name) => {
    const { area, readBack } = entityNamed(name);
    const find = readBack?.find;
    return find !== undefined && operationEnabled(find, dialectOf(settings.platform, area).operations[find]);
  };
}
