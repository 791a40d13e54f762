import type { EntityName } from '../domain/entity-name.js';
import { isAboutApplications } from './index.js';

/**
 * What lists and troubles show of the last failure: the platform's words, but of an application only the status, because
 * its words may be about the applicant. Pure.
 */
export function shownError(
  entity: EntityName,
  error: string | null,
  statusCode: number | null,
): string | null {
  if (error === null || !isAboutApplications(entity)) return error;
  return statusCode === null ? null : `HTTP ${statusCode}`;
}
