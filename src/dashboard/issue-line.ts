import type { EntityName } from '../domain/entity-name.js';
import { issueText, type Issue } from '../domain/issue.js';

/** An issue as one line. Of an application status without the value: it speaks of an applicant. Pure. */
export function issueLine(entity: EntityName, issue: Issue): string {
  return issueText(entity === 'application-statuses' ? { ...issue, value: undefined } : issue);
}
