import { applicationStatusContract } from '../contract/application-status.js';
import type { JsonObject } from '../domain/row.js';
import type { Column, Entity } from './entity.js';
import { mapRow } from './map-row.js';
import type { RowReader } from './row-reader.js';
import { ROW_VERSION } from './columns.js';
import { amount } from './values.js';

const COLUMNS: readonly Column[] = [
  {
    name: 'key',
    description:
      'The platform’s id of the application (UUID), as the webhook brought it. Without it: vacancy_key and email.',
  },
  ROW_VERSION,
  {
    name: 'vacancy_key',
    description:
      'Key of the vacancy in the query of vacancies; with email, finds the latest application as of the sweep that reads the row.',
  },
  { name: 'email', description: 'E-mail address that the applicant gave, in any case.' },
  { name: 'status', required: true, lookup: true, description: 'The platform’s word, such as `hired`.' },
  {
    name: 'timestamp',
    completed: true,
    description: 'When the status was reached; null: when a sweep first saw it.',
  },
  {
    name: 'salary_currency',
    field: 'salary.currency',
    lookup: true,
    description: 'Currency of the salary; IDR when absent.',
  },
  {
    name: 'salary_amount',
    field: 'salary.amount',
    whole: true,
    description: 'Agreed salary; null leaves the whole salary out.',
  },
  {
    name: 'employment_type',
    lookup: true,
    description: 'The platform’s word, such as `pkwtt`.',
  },
];

function salary(read: RowReader): JsonObject | null | undefined {
  const currency = read.text('salary_currency', 'IDR');
  const paid = read.value('salary_amount', amount);
  if (paid === undefined) return read.absent('salary_amount');
  return currency === undefined ? read.absent('salary_currency') : { currency, amount: paid };
}

function body(read: RowReader) {
  return {
    status: read.text('status'),
    timestamp: read.time('timestamp'),
    salary: salary(read),
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
  assumedRequired: [],
  mapVersion: 1,
  repeatable: false,
  application: true,
  complete,
  map: (row, context) => mapRow(applicationStatuses, row, context, body),
};
