import type { LoadedConfig } from '../../config/load.js';
import { AREAS } from '../../domain/area.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { RunSettings } from '../../sync/run-settings.js';

/** The configuration as a run wants it; only areas that a configured entity belongs to. */
export function runSettings({ settings, entities }: LoadedConfig): RunSettings {
  const used = new Set([...entities.keys()].map((name) => entityNamed(name).area));
  const areas: RunSettings['areas'] = {};
  for (const area of AREAS) {
    const configured = settings.platform[area];
    if (configured && used.has(area)) areas[area] = configured;
  }
  return {
    areas,
    sweep: {
      guards: settings.guards,
      fullEveryMs: settings.sweep.fullEveryMs,
      timeZone: settings.platform.timeZone,
    },
    push: { ...settings.retry, maxRejectedInARow: settings.guards.maxRejectedInARow },
    namespace: settings.ids.namespace,
    leaseTtlMs: settings.state.leaseTtlMs,
    retentionMs: settings.state.retentionMs,
    inboxRetentionMs: settings.webhook.retentionMs,
  };
}
