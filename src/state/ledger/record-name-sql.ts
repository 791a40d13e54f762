import type { EntityName } from '../../domain/names.js';
import { isAboutApplications } from '../../entities/index.js';

/** SQL: what `recordName` gives for the row of `sync_state` in alias `s`. */
export function recordNameSql(entity: EntityName): string {
  return isAboutApplications(entity)
    ? `case when s.key ~ ':[0-9a-f]{32}$' then cast(s.platform_id as text) else s.key end`
    : 's.key';
}
