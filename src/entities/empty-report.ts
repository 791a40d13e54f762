import type { EntityName } from '../domain/entity-name.js';
import type { EntityReport } from '../domain/outcome.js';
import { isAboutApplications } from './index.js';

/** The counters of an entity before anything is counted. */
export function emptyReport(entity: EntityName): EntityReport {
  return {
    read: 0,
    unchanged: 0,
    new: 0,
    changed: 0,
    vanished: 0,
    invalid: 0,
    ...(isAboutApplications(entity) ? { foreign: 0 } : {}),
    sent: 0,
    accepted: 0,
    rejected: 0,
    deferred: 0,
    waiting: 0,
    pending: 0,
    held: false,
    error: null,
  };
}
