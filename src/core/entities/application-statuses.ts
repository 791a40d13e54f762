import { applicationStatusContract } from '../contract/application-status.js';
import type { JsonObject } from '../domain/row.js';
import type { Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { readSalary, type RowReader } from './row-reader.js';
import { column, ROW_VERSION } from './columns.js';
import { amount } from './values.js';

const COLUMNS = [
  column('key', 'The platform’s id of the application (UUID), as the webhook brought it.', {
    required: true,
  }),
  ROW_VERSION,
  column('status', 'The platform’s word, such as `hired`.', { required: true, lookup: true }),
  column('timestamp', 'When the status was reached; null: when a sweep first saw it.', { completed: true }),
  column('salary_currency', 'Currency of the salary; IDR when absent.', {
    field: 'salary.currency',
    lookup: true,
  }),
  column('salary_amount', 'Agreed salary; null leaves the whole salary out.', {
    field: 'salary.amount',
    whole: true,
    typed: true,
  }),
  column('employment_type', 'The platform’s word, such as `pkwtt`.', { lookup: true }),
];

/** The latest application of the person, as version 1 found it; the columns of the first table are examples. */
const GONE = {
  columns: ['vacancy_key', 'email'],
  instead: `Name the application by its id as "key", which the webhook brought. Join the inbox for it, or a table of yours that holds it: select distinct on (h.id) a.application_id as key, h.status from hiring h join placement_sync.job_application a on a.vacancy_key = h.vacancy_id::text and lower(a.email) = lower(h.email) order by h.id, coalesce(a.applied_at, a.request_timestamp) desc, a.id desc (docs/webhook.md).`,
};

function body(read: RowReader) {
  return {
    status: read.text('status'),
    timestamp: read.time('timestamp'),
    salary: readSalary(read, 'salary', amount),
    employment_type: read.text('employment_type'),
  };
}

/**
 * A status without a time gets that of the sweep which first saw it. It is noted beside the payload, which is dropped
 * once it is acknowledged, so that the next sweep finds the same time and the same hash.
 */
function complete(payload: JsonObject, noted: JsonObject | null, now: string) {
  if (payload.timestamp !== undefined) return { payload, noted: null };
  const seen = noted?.status === payload.status ? noted?.timestamp : undefined;
  const timestamp = typeof seen === 'string' ? seen : now;
  return { payload: { ...payload, timestamp }, noted: { status: payload.status ?? null, timestamp } };
}

/** What became of applications: Update Job Application Status of the job-placement area. */
export const applicationStatuses: Entity = {
  ...applicationStatusContract,
  titles: { en: 'Application statuses', id: 'Status lamaran' },
  description: 'Statuses of applications, sent as soon as they change.',
  parent: null,
  statusField: null,
  lastDay: null,
  readBack: null,
  columns: COLUMNS,
  gone: GONE,
  assumedRequired: [],
  mapVersion: 2,
  repeatable: false,
  application: true,
  complete,
  map: (row, context) => mapRow(applicationStatuses, row, context, body),
};
