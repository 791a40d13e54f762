import type { CompanyBody } from '../../core/contract/company.js';
import { UUID_PATTERN } from '../../core/contract/fields.js';
import type { InstitutionBody } from '../../core/contract/institution.js';
import type { OperationName } from '../../core/contract/operation.js';
import type { RegionReference } from '../../core/contract/region.js';
import { platformTimestamp } from '../../core/contract/time.js';
import type { TrainingBody } from '../../core/contract/training.js';
import type { VacancyBody } from '../../core/contract/vacancy.js';
import type { ParentLink } from '../../core/entities/entity.js';
import { entity } from '../../core/entities/index.js';
import type { ReadBack } from '../../core/entities/read-back.js';
import { putAt } from './request.js';
import type { RequestContext } from './sandbox-state.js';
import { derivedId, type Store, type StoredRecord } from './store.js';

/**
 * `data` of a Find: the record as the interface shows it for its kind, else what a read-back looks at.
 */

/** The catalogue is older than any record. */
const CATALOGUE_TIME = '2021-01-01 00:00:00';

/** Finds whose reply the interface shows, or that was assumed in full, by operation. */
const VIEWS: Readonly<Record<OperationName, (record: never, context: RequestContext) => object>> = {
  findCompany: companyView,
  findVacancy: vacancyView,
  findInstitution: institutionView,
  findTraining: trainingView,
};

/** As its view has it, else no more than what a read-back looks at. */
export function findData(held: StoredRecord, context: RequestContext): object {
  const record = withoutNulls(held);
  const view = VIEWS[context.operation.name];
  if (view !== undefined) return view(record as never, context);
  const { readBack } = entity(context.operation.entity);
  return readBack === null ? {} : readBackData(record, readBack);
}

function timesOf(record: Pick<StoredRecord, 'createdAtMs' | 'updatedAtMs'>, timeZone: string) {
  return {
    created_at: platformTimestamp(record.createdAtMs, timeZone),
    updated_at: platformTimestamp(record.updatedAtMs, timeZone),
  };
}

/** A null means the same as a field that is missing. */
function withoutNulls(record: StoredRecord): StoredRecord {
  const body = Object.fromEntries(Object.entries(record.body).filter(([, value]) => value !== null));
  return { ...record, body };
}

function readBackData({ body, remoteId, reference }: StoredRecord, { fields, linkPaths }: ReadBack): object {
  const data: Record<string, unknown> = {};
  for (const { sent, read, rule } of fields) {
    if (read === null) continue;
    const value = sent
      .split('.')
      .reduce<unknown>((at, step) => (at as typeof data | undefined)?.[step], body);
    putAt(data, read, rule === 'picture' ? rehosted(value as string | null | undefined) : (value ?? null));
  }
  putAt(data, linkPaths.id, remoteId);
  putAt(data, linkPaths.reference, reference);
  return data;
}

/** These fields of a body; one that was not sent is null. */
function sent<Sent extends object>(body: Sent, ...fields: readonly (keyof Sent)[]): object {
  return Object.fromEntries(fields.map((field) => [field, body[field] ?? null]));
}

/** `data` of Find Company (interface §2). */
function companyView(record: StoredRecord<CompanyBody>, context: RequestContext): object {
  const { body } = record;
  return {
    id: derivedId('companies/company', record.id),
    ...sent(body, 'license_number', 'about', 'website', 'latitude', 'longitude'),
    ...timesOf(record, context.timeZone),
    logo_uri: rehosted(body.logo_uri),
    cover_uri: rehosted(body.cover_uri),
    industry: catalogueView('industry', body.industry),
    employer: employerView(record, context),
  };
}

/** Employer record, as it stands in a company and in a vacancy's job. */
function employerView(record: StoredRecord<CompanyBody>, context: RequestContext): object {
  const { body } = record;
  return {
    id: record.remoteId,
    name: body.name,
    client_id: clientUuid(context.clientId),
    reference: record.reference,
    ...sent(body, 'postal_code', 'address', 'phone', 'email'),
    region: regionView(body.region),
  };
}

/** Id and name of a catalogue entry; the sandbox knows no names. */
function catalogueView(kind: string, id: string | null | undefined): { id: string; name: string } | null {
  return id === undefined || id === null ? null : { id, name: `${kind} ${id.slice(0, 8)}` };
}

/** The service fetches pictures and hosts them itself, so a read-back shows another address (observed). */
function rehosted(uri: string | null | undefined): string | null {
  return uri === undefined || uri === null
    ? null
    : `https://files.sandbox.invalid/${derivedId('files', uri)}`;
}

/** `client_id` is a UUID in every response, which the sandbox's own client need not be. */
function clientUuid(clientId: string): string {
  return UUID_PATTERN.test(clientId) ? clientId : derivedId('clients', clientId);
}

/** `data` of Find Institution: not shown in the interface, assumed after the pattern of the employer record. */
function institutionView(record: StoredRecord<InstitutionBody>, context: RequestContext): object {
  const { body } = record;
  return {
    id: record.remoteId,
    name: body.name,
    client_id: clientUuid(context.clientId),
    reference: record.reference,
    ...sent(body, 'address', 'phone', 'email'),
    logo_uri: rehosted(body.logo_uri),
    region: regionView(body.region),
    ...timesOf(record, context.timeZone),
  };
}

/** `data` of Find Training: not shown anywhere, assumed to be the fields of the Put with the records it names. */
function trainingView(record: StoredRecord<TrainingBody>, context: RequestContext): object {
  const { body } = record;
  const parent = parentOf<InstitutionBody>(record, context);
  return {
    id: record.remoteId,
    reference: record.reference,
    client_id: clientUuid(context.clientId),
    title: body.title,
    ...sent(body, 'description', 'address'),
    region: regionView(body.region),
    ...sent(body, 'media', 'difficulty_level', 'price', 'certified', 'bnsp_certified', 'quota'),
    ...sent(body, 'expired_date', 'start_date', 'finish_date'),
    cover_uri: rehosted(body.cover_uri),
    institution: parent ? institutionView(parent, context) : null,
    ...timesOf(record, context.timeZone),
  };
}

/** `data` of Find Job Vacancy (interface §2): it shows neither `confidential` nor `skills`. */
function vacancyView(record: StoredRecord<VacancyBody>, context: RequestContext): object {
  const { body } = record;
  const education = catalogueView('education level', body.min_education);
  return {
    id: derivedId('vacancies/industrial-vacancy', record.id),
    min_experience: body.min_experience ?? null,
    vacancy: {
      id: derivedId('vacancies/vacancy', record.id),
      ...sent(body, 'gender', 'marital', 'min_age', 'max_age', 'qualification', 'quota'),
      disability_allowed: body.disability_allowed ?? false,
      job: jobView(record, context),
      min_education: education === null ? null : { ...education, level: 1 },
    },
    job_type: catalogueView('job type', body.job_type),
    job_function: catalogueView('job function', body.job_function),
    industry: catalogueView('industry', body.industry),
  };
}

function jobView(record: StoredRecord<VacancyBody>, context: RequestContext): object {
  const { body } = record;
  const company = parentOf<CompanyBody>(record, context);
  return {
    id: record.remoteId,
    client_id: clientUuid(context.clientId),
    reference: record.reference,
    title: body.title,
    description: body.description ?? null,
    min_salary_currency: body.min_salary?.currency ?? null,
    min_salary_amount: body.min_salary?.amount ?? null,
    max_salary_currency: body.max_salary?.currency ?? null,
    max_salary_amount: body.max_salary?.amount ?? null,
    ...sent(body, 'client_url', 'expire_at'),
    status: body.status ?? 'open',
    employer: company === null ? null : employerView(company, context),
    region: extendedRegionView(body.region),
  };
}

/** Region record of a response (interface §2); null when the request named none. */
function regionView(region: RegionReference | null | undefined): object | null {
  if (region === undefined || region === null) return null;
  return {
    id: derivedId('regions', region.id),
    regionable_type: region.type,
    regionable_id: region.id,
    key: `${region.type}-${region.id.slice(0, 8)}`,
    name: `${region.type} ${region.id.slice(0, 8)}`,
    created_at: CATALOGUE_TIME,
    updated_at: CATALOGUE_TIME,
  };
}

/** Region record with its city-level record, as Find Job Vacancy shows it. */
function extendedRegionView(region: RegionReference | null | undefined): object | null {
  if (region === undefined || region === null) return null;
  const provinceId = derivedId('provinces', region.id);
  const country = region.country_code ?? 'ID';
  const regionable = {
    id: region.id,
    province_id: provinceId,
    name: `${region.type} ${region.id.slice(0, 8)}`,
    district: false,
    code: 3171,
    latitude: -6.2,
    longitude: 106.8,
    deleted_at: null,
    province: {
      id: provinceId,
      name: `province ${provinceId.slice(0, 8)}`,
      code: 31,
      country_id: derivedId('countries', country),
      latitude: -6.2,
      longitude: 106.8,
      country: { id: derivedId('countries', country), code: country, name: `country ${country}` },
    },
  };
  return { ...regionView(region), regionable };
}

type Body = StoredRecord['body'];

/** What a body names its parent by; null: it names none. */
export function parentReference(body: Body, parent: ParentLink | null): unknown {
  const named = parent === null ? undefined : (body[parent.field] as { readonly id?: unknown } | undefined);
  return named?.id ?? null;
}

/** The record that this link means; null: none that is held. */
export function findParent(link: unknown, parent: ParentLink, store: Store): StoredRecord | null {
  return store.findByReference(parent.entity, String(link));
}

/** The record that the body of this one names as its parent; null: it names none, or one that is gone. */
function parentOf<Body>(
  { body }: StoredRecord<object>,
  { operation, store }: RequestContext,
): StoredRecord<Body> | null {
  const { parent } = entity(operation.entity);
  const link = parentReference(body as StoredRecord['body'], parent);
  if (parent === null || link === null) return null;
  return findParent(link, parent, store) as StoredRecord<Body> | null;
}
