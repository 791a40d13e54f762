import type { z } from 'zod';
import { bodyProblems } from '../contract/body-problems.js';
import { companyBody, type CompanyBody } from '../contract/company.js';
import { institutionBody, type InstitutionBody } from '../contract/institution.js';
import { platformTimestamp } from '../contract/platform-timestamp.js';
import { trainingBody, type TrainingBody } from '../contract/training.js';
import { vacancyBody, type VacancyBody } from '../contract/vacancy.js';
import { accepted, invalidFields, type Answer } from './answer.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** Put Company: creates or updates. */
export function putCompany(context: RequestContext): Answer {
  const refused = refuseBody(context, companyBody);
  if (refused !== null) return refused;
  const body = context.body as CompanyBody;
  const record = context.store.put('companies', context.id, body, context.nowMs);
  return putAnswer(context, record, { name: body.name });
}

/** Put Job Vacancy: its `employer.id` must be the `reference` of a company that was put before (interface §2). */
export function putVacancy(context: RequestContext): Answer {
  const refused = refuseBody(context, vacancyBody);
  if (refused !== null) return refused;
  const body = context.body as VacancyBody;
  if (context.store.findByReference('companies', body.employer.id) === null) {
    return invalidFields([{ field: 'employer.id', message: 'is not the reference of a known company' }]);
  }
  const record = context.store.put('vacancies', context.id, body, context.nowMs);
  return putAnswer(context, record, { title: body.title });
}

/** Put Institution: creates or updates. */
export function putInstitution(context: RequestContext): Answer {
  const refused = refuseBody(context, institutionBody);
  if (refused !== null) return refused;
  const body = context.body as InstitutionBody;
  const record = context.store.put('institutions', context.id, body, context.nowMs);
  return putAnswer(context, record, { name: body.name });
}

/** Put Training: its `institution`, where there is one, must name an institution that was put before (assumed). */
export function putTraining(context: RequestContext): Answer {
  const refused = refuseBody(context, trainingBody);
  if (refused !== null) return refused;
  const body = context.body as TrainingBody;
  const { institution } = body;
  if (institution !== undefined && context.store.findByReference('institutions', institution.id) === null) {
    return invalidFields([
      { field: 'institution.id', message: 'is not the reference of a known institution' },
    ]);
  }
  const record = context.store.put('trainings', context.id, body, context.nowMs);
  return putAnswer(context, record, { title: body.title });
}

/** What the schema says against the body; null: nothing. */
export function refuseBody(context: RequestContext, schema: z.ZodType): Answer | null {
  const problems = bodyProblems(schema, context.body).filter(
    ({ code }) => code !== 'unknown' || !context.acceptExtraFields,
  );
  return problems.length === 0 ? null : invalidFields(problems);
}

function putAnswer(context: RequestContext, record: StoredRecord, label: object): Answer {
  const data = {
    id: record.remoteId,
    reference: record.reference,
    ...label,
    created_at: platformTimestamp(record.createdAtMs, context.timeZone),
  };
  return accepted(data, context.clientIp);
}
