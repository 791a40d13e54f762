import type { LoadedConfig } from '../../config/load.js';
import { operationEnabled } from '../../config/operation-enabled.js';
import type { EntityName } from '../../domain/entity-name.js';
import { entity as entityNamed } from '../../entities/index.js';

/** Whether the records of an entity may be read back: a Find exists, and the configuration does not disable it. */
export function findEnabled({ settings }: LoadedConfig): (name: EntityName) => boolean {
  return (name) => {
    const find = entityNamed(name).readBack?.find;
    return find !== undefined && operationEnabled(find, settings.platform.operations[find]);
  };
}
