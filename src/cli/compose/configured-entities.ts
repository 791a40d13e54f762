import { dialectOf } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import { closest } from '../../domain/closest.js';
import type { EntityName } from '../../domain/names.js';
import { SyncError } from '../../domain/errors.js';
import { absentColumns } from '../../entities/absent.js';
import { entity as entityNamed } from '../../entities/index.js';
import { holdsUuid } from '../../entities/lookup.js';
import { queryColumns } from '../../entities/columns.js';
import type { ConfiguredEntity } from '../../sync/run-context.js';
import { mappingFingerprint } from '../../sync/sweep/examine-row.js';
import { platformIds } from './platform-references.js';

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
        query: { entity: name, sql, file: queryFile, columns: queryColumns(entity, required, extraFields) },
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
      };
      return { ...configured, fingerprint: mappingFingerprint(configured, { ...zones, session }) };
    });
}

function checkNames(names: readonly string[], known: readonly EntityName[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const close = unknown.map((name) => closest(name, known)).filter((name) => name !== null);
  const meant = close.length > 0 ? `Did you mean ${close.join(', ')}? ` : '';
  throw new SyncError('usage', `${unknown.join(', ')}: not in the configuration.`, {
    scope: 'usage',
    hint: `${meant}The configuration has: ${known.join(', ')}.`,
  });
}
