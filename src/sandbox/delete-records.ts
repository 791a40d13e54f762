import { accepted, refusal, type Answer } from './answer.js';
import type { RequestContext } from './request-context.js';

/** Delete Company: refused while vacancies name it, so that a rehearsal shows an order that would not work. */
export function deleteCompany(context: RequestContext): Answer {
  const { store, id } = context;
  const record = store.find('companies', id);
  if (record === null) return refusal(404, 'Company not found');
  const named = store.list('vacancies').some(({ body }) => body.employer.id === record.reference);
  if (named) return refusal(422, 'The company still has job vacancies');
  store.forget('companies', id);
  return accepted({}, context.clientIp);
}

/** Delete Job Vacancy. */
export function deleteVacancy({ store, id, clientIp }: RequestContext): Answer {
  return store.forget('vacancies', id) ? accepted({}, clientIp) : refusal(404, 'Job vacancy not found');
}

/** Delete Institution: refused while trainings name it. */
export function deleteInstitution(context: RequestContext): Answer {
  const { store, id } = context;
  const record = store.find('institutions', id);
  if (record === null) return refusal(404, 'Institution not found');
  const named = store.list('trainings').some(({ body }) => body.institution?.id === record.reference);
  if (named) return refusal(422, 'The institution still has trainings');
  store.forget('institutions', id);
  return accepted({}, context.clientIp);
}

/** Delete Training. */
export function deleteTraining({ store, id, clientIp }: RequestContext): Answer {
  return store.forget('trainings', id) ? accepted({}, clientIp) : refusal(404, 'Training not found');
}
