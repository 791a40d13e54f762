import type { EntityName } from '../domain/entity-name.js';
import { isAboutApplications } from './index.js';
import { issueText, type Issue } from '../domain/issue.js';

/** An issue as one line. Without the value where the record is about an application: the value is personal. Pure. */
export function issueLine(entity: EntityName, issue: Issue): string {
  return issueText(isAboutApplications(entity) ? { ...issue, value: undefined } : issue);
}
