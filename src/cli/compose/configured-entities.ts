import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedConfig } from '../../core/config/load.js';
import { dialectOf } from '../../core/config/schema.js';
import { closest } from '../../core/domain/closest.js';
import { usageError } from '../../core/domain/errors.js';
import type { EntityName } from '../../core/domain/names.js';
import { absentColumns } from '../../core/entities/absent.js';
import { queryColumns } from '../../core/entities/columns.js';
import { entity as entityNamed } from '../../core/entities/index.js';
import { holdsUuid, readReference, type ReferenceValue } from '../../core/entities/lookup.js';
import type { ConfiguredEntity } from '../../core/context.js';
import { mappingFingerprint } from './mapping-fingerprint.js';
import { PACKAGE_ROOT } from './package-info.js';

/**
 * The named entities (all if none is named) with their configuration, parents first. Errors: SyncError `usage` for one
 * that is not configured.
 */
export function configuredEntities(
  { settings, entities }: LoadedConfig,
  names: readonly string[] = [],
): readonly ConfiguredEntity[] {
  checkNames(names, [...entities.keys()]);
  const { timeZone: source, sessionTimeZone: session } = settings.source;
  const zones = { source, platform: settings.platform.timeZone };
  return [...entities.values()]
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map(({ name, sql, queryFile, lookups, plainText, required, onVanished, settings: block }) => {
      const entity = entityNamed(name);
      const { extraFields, refreshAfterMs } = block;
      const { absent: common } = dialectOf(settings.platform, entity.area);
      const absent = absentColumns(entity, extraFields, common, block.absent);
      const configured = {
        ...entity,
        query: {
          entity: name,
          sql,
          file: queryFile,
          columns: queryColumns(entity, required, extraFields),
          gone: entity.gone,
        },
        mapContext: {
          lookups,
          ...(Object.keys(lookups).some(holdsUuid) ? { knownIds: platformIds() } : {}),
          plainText,
          required,
          extraFields,
          absent,
          zones,
          namespace: settings.ids.namespace,
        },
        onVanished,
        closedStatus: block.closedStatus ?? '',
        requireInbox: block.requireInbox ?? false,
        refreshAfterMs,
        parentSettleMs: entities.get(entity.parent?.entity ?? '')?.settings.settleAfterMs ?? 0,
      };
      return { ...configured, fingerprint: mappingFingerprint(configured, { ...zones, session }) };
    });
}

function checkNames(names: readonly string[], known: readonly EntityName[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const close = unknown.map((name) => closest(name, known)).filter((name) => name !== null);
  const meant = close.length > 0 ? `Did you mean ${close.join(', ')}? ` : '';
  throw usageError(
    `${unknown.join(', ')}: not in the configuration.`,
    `${meant}The configuration has: ${known.join(', ')}.`,
  );
}

const FILES: Readonly<Record<string, string>> = {
  region_id: 'cities.csv',
  industry: 'industries.csv',
  job_type: 'job-types.csv',
  job_function: 'job-functions.csv',
  min_education: 'education-levels.csv',
};

/** The platform's values that the package knows, by column of the contract. */
export function platformReferences(): ReadonlyMap<string, readonly ReferenceValue[]> {
  return new Map(
    Object.entries(FILES).map(([column, file]) => [
      column,
      readReference(readFileSync(join(PACKAGE_ROOT, 'config', 'reference', file), 'utf8')),
    ]),
  );
}

let ids: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function platformIds(): ReadonlyMap<string, ReadonlySet<string>> {
  ids ??= new Map(
    [...platformReferences()].map(([column, values]) => [column, new Set(values.map(({ id }) => id))]),
  );
  return ids;
}
