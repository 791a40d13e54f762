import type { Area, EntityName } from '../../core/domain/names.js';
import { type DoctorEntity, type Finding, type Fact, learn } from './finding.js';
import type {
  DoctorFacts,
  DoctorPorts,
  DoctorSettings,
  EntityFacts,
  EntityInspection,
  SourceFacts,
} from './facts.js';
import { inspectEntity, unreadInspection } from './read/inspect-entity.js';
import { readSource } from './read/read-source.js';
import type { ParentIndex } from './rows/parent-index.js';
import { readRows, type RowResult } from './rows/read-rows.js';
import { judgeFacts } from './checks.js';

export interface DoctorOptions {
  /** Those that are reported on. */
  readonly entities: readonly DoctorEntity[];
  /** All that are configured: parents are read for their children. */
  readonly configured: readonly DoctorEntity[];
  readonly areas: readonly Area[];
  readonly settings: DoctorSettings;
  /** Longest time of one statement, of all those about one query, and of one reading of rows, milliseconds. */
  readonly statementMs: number;
  readonly inspectMs: number;
  readonly passMs: number;
}

/**
 * Doctor in two steps. It gathers facts: of the platform and the state, of the source and its tables, then of each entity
 * its query and its rows, parents before children. Then the checks judge the facts (`checks.ts`). It changes nothing
 * anywhere. What cannot be read becomes a finding; only an abort ends it. Errors: SyncError `interrupted`.
 */
export async function runDoctor(options: DoctorOptions, ports: DoctorPorts): Promise<readonly Finding[]> {
  return judgeFacts(await gatherFacts(options, ports));
}

async function gatherFacts(options: DoctorOptions, ports: DoctorPorts): Promise<DoctorFacts> {
  const { areas, settings } = options;
  const { signal, during } = ports;
  const [tried, state] = await during('Looking at the platform and the state', () =>
    Promise.all([
      Promise.all(areas.map((area) => ports.tryArea(area))),
      learn(() => ports.readState(), signal).then((known) => ('value' in known ? known.value : known)),
    ]),
  );
  const source = await during('Looking at the source', () =>
    learn(
      () =>
        readSource(
          connectionOf(options, ports),
          options.configured.map(({ query }) => query.sql),
        ),
      signal,
    ),
  );
  return { settings, source, state, areas: tried, entities: await readEntities(options, ports, source) };
}

async function readEntities(
  options: DoctorOptions,
  ports: DoctorPorts,
  source: Fact<SourceFacts>,
): Promise<readonly EntityFacts[]> {
  const { entities, configured, settings, passMs } = options;
  const { during } = ports;
  const needed = configured.filter(({ name }) =>
    entities.some((each) => each.name === name || each.parent?.entity === name),
  );
  const indexes = new Map<EntityName, ParentIndex>();
  const found: EntityFacts[] = [];
  for (const entity of needed) {
    const reported = entities.some(({ name }) => name === entity.name);
    let inspection: EntityInspection = unreadInspection(entity, source);
    if (reported && 'value' in source) {
      const context = { ...connectionOf(options, ports), settings, catalog: source.value };
      inspection = await during(`Looking at the query of ${entity.name}`, () =>
        inspectEntity(entity, context),
      );
    }
    const parents = entity.parent === null ? null : (indexes.get(entity.parent.entity) ?? null);
    const rows: RowResult =
      'value' in source
        ? await during(`Reading ${entity.name}`, () =>
            readRows(entity, { ...ports, passMs, parents, today: settings.today }),
          )
        : { facts: source, index: null };
    if (rows.index !== null) indexes.set(entity.name, rows.index);
    if (!reported) continue;
    // One cause for both, so that it is said once.
    if ('cause' in rows.facts && 'cause' in inspection.columns)
      inspection = unreadInspection(entity, rows.facts);
    found.push({ ...inspection, rows: rows.facts });
  }
  return found;
}

function connectionOf({ settings, statementMs, inspectMs }: DoctorOptions, { signal }: DoctorPorts) {
  const statementTimeoutMs = Math.min(statementMs, settings.source.statementTimeoutMs);
  return { url: settings.source.url, statementTimeoutMs, attemptForMs: inspectMs, signal };
}
