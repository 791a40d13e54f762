import type { EntityName } from '../domain/entity-name.js';
import { isAboutApplications } from './index.js';

/** The end of a key that a sweep makes of a vacancy's key and the md5 of an applicant's address (docs/reference/columns.md). */
const ADDRESS_DIGEST = /:[0-9a-f]{32}(?![0-9a-f])/g;

/**
 * How logs, lists, pages, notices and messages name a record: by its key. A record about an application whose key
 * holds the md5 of the applicant's address is named by its platform id, the id of the application: with a list of
 * addresses, the md5 shows whose it is. Commands and pages accept this name where they ask for a key.
 *
 * @param platformId null: it is not known here; then the md5 is left out
 */
export function recordName(entity: EntityName, key: string, platformId: string | null): string {
  const shown = withoutAddressDigests(entity, key);
  return shown === key ? key : (platformId ?? shown);
}

/** A text about records of the entity, without what stands for an applicant's address in their keys. Pure. */
export function withoutAddressDigests(entity: EntityName, text: string): string {
  return isAboutApplications(entity) ? text.replace(ADDRESS_DIGEST, ':…') : text;
}
