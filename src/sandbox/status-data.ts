import type { ApplicationStatusBody } from '../contract/application-status.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** `data` of Update Job Application Status (interface §2). */
export function statusData(record: StoredRecord, { nowMs }: RequestContext): object {
  const { status, salary, employment_type } = record.body as ApplicationStatusBody;
  const hired = status === 'hired' ? new Date(nowMs).toISOString().replace(/\.\d+Z$/, '+00:00') : null;
  return {
    applicants: record.remoteId,
    status,
    hired_at: hired,
    phone: null,
    email: 'applicant@example.com',
    salary: salary ?? null,
    employment_type: employment_type ?? null,
  };
}
