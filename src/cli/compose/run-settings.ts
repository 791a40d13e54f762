import type { LoadedConfig } from '../../config/load.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { RunSettings } from '../../sync/run-settings.js';

/** The configuration as a run takes it: as it is, and only areas that a configured entity belongs to. */
export function runSettings({ settings, entities }: LoadedConfig): RunSettings {
  const areas = [...entities.keys()].map((name) => entityNamed(name).area);
  return {
    ...settings,
    areas: Object.fromEntries(
      areas.flatMap((area) => (settings.platform[area] ? [[area, settings.platform[area]]] : [])),
    ),
  };
}
