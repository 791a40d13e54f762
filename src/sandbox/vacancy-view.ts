import type { CompanyBody } from '../contract/company.js';
import type { VacancyBody } from '../contract/vacancy.js';
import { catalogueView, clientUuid, employerView } from './company-view.js';
import { derivedId } from './derived-id.js';
import { extendedRegionView } from './region-view.js';
import { parentOf } from './parent-of.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** `data` of Find Job Vacancy (interface §2): it shows neither `confidential` nor `skills`. */
export function vacancyView(record: StoredRecord<VacancyBody>, context: RequestContext): object {
  const { body } = record;
  const education = catalogueView('education level', body.min_education);
  return {
    id: derivedId('vacancies/industrial-vacancy', record.id),
    min_experience: body.min_experience ?? null,
    vacancy: {
      id: derivedId('vacancies/vacancy', record.id),
      gender: body.gender ?? null,
      marital: body.marital ?? null,
      min_age: body.min_age ?? null,
      max_age: body.max_age ?? null,
      qualification: body.qualification ?? null,
      quota: body.quota ?? null,
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
    client_url: body.client_url ?? null,
    expire_at: body.expire_at ?? null,
    status: body.status ?? 'open',
    employer: company === null ? null : employerView(company, context),
    region: extendedRegionView(body.region),
  };
}
