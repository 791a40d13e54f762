import { dialectOf } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import { operationEnabled } from '../../config/rules.js';
import type { EntityName } from '../../domain/names.js';
import { entity as entityNamed } from '../../entities/index.js';

/** Whether the records of an entity may be read back: a Find exists, and the configuration does not disable it. */
export function findEnabled({ settings }: LoadedConfig): (name: EntityName) => boolean {
  return (name) => {
    const { area, readBack } = entityNamed(name);
    const find = readBack?.find;
    return find !== undefined && operationEnabled(find, dialectOf(settings.platform, area).operations[find]);
  };
}
