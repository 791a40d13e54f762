import { areaSettings } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { RunSettings } from '../../sync/run-context.js';

/** The settings for a run: all of them, but only areas with a configured entity. */
export function runSettings({ settings, entities }: LoadedConfig): RunSettings {
  const areas = [...entities.keys()].map((name) => entityNamed(name).area);
  return {
    ...settings,
    areas: Object.fromEntries(
      areas.flatMap((area) => {
        const configured = areaSettings(settings.platform, area);
        return configured ? [[area, configured]] : [];
      }),
    ),
  };
}
