import type { LoadedConfig } from '../../config/load.js';
import { closest } from '../../domain/closest.js';
import { SyncError } from '../../domain/errors.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { EntityPlan } from '../../sync/entity-plan.js';
import { mappingFingerprint } from '../../sync/sweep/mapping-fingerprint.js';

/** The plan of every configured entity, parents first. */
export function entityPlans(config: LoadedConfig): readonly EntityPlan[] {
  const { settings } = config;
  const timeZones = { source: settings.source.timeZone, platform: settings.platform.timeZone };
  return [...config.entities.values()].map(
    ({ name, sql, queryFile, lookups, plainText, required, onVanished, settings: block }) => {
      const plan = {
        entity: entityNamed(name),
        sql,
        queryFile,
        onVanished,
        requireInbox: block.requireInbox ?? false,
        refreshAfterMs: block.refreshAfterMs,
        closedStatus: block.closedStatus ?? '',
        mapContext: {
          lookups,
          plainText,
          required,
          extraFields: block.extraFields,
          namespace: settings.ids.namespace,
        },
      };
      return { ...plan, fingerprint: mappingFingerprint(plan, timeZones) };
    },
  );
}

/** The named ones, or all. Errors: SyncError `usage` for one that is not configured. */
export function selectPlans(plans: readonly EntityPlan[], names: readonly string[]): readonly EntityPlan[] {
  const known = plans.map(({ entity }) => entity.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const close = unknown.map((name) => closest(name, known)).filter((name) => name !== null);
    const meant = close.length > 0 ? `Did you mean ${close.join(', ')}? ` : '';
    throw new SyncError('usage', `${unknown.join(', ')}: no such entity in the configuration.`, {
      scope: 'usage',
      hint: `${meant}Configured are: ${known.join(', ')}.`,
    });
  }
  return names.length === 0 ? plans : plans.filter(({ entity }) => names.includes(entity.name));
}
