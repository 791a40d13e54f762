import type { ApplicationStatusBody } from '../contract/application-status.js';
import { platformTimestamp } from '../contract/time.js';
import { localTimeWithOffset } from './local-time-with-offset.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** `data` of Update Job Application Status (interface §2). `hired_at` is the time that was sent. */
export function statusData(record: StoredRecord, { nowMs, timeZone }: RequestContext): object {
  const { status, timestamp, salary, employment_type } = record.body as ApplicationStatusBody;
  const at = timestamp ?? platformTimestamp(nowMs, timeZone);
  return {
    applicants: record.remoteId,
    status,
    hired_at: status === 'hired' ? localTimeWithOffset(at, timeZone) : null,
    phone: null,
    email: 'applicant@example.com',
    salary: salary ?? null,
    employment_type: employment_type ?? null,
  };
}
