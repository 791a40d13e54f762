import { applicationStatusBody, type ApplicationStatusBody } from '../contract/application-status.js';
import { accepted, type Answer } from './answer.js';
import { refuseBody } from './put-records.js';
import type { RequestContext } from './request-context.js';

/** Update Job Application Status. Every application id is taken for known, because the sandbox sends any. */
export function updateApplicationStatus(context: RequestContext): Answer {
  const refused = refuseBody(context, applicationStatusBody);
  if (refused !== null) return refused;
  const body = context.body as ApplicationStatusBody;
  const record = context.store.put('application-statuses', context.id, body, context.nowMs);
  const hired =
    body.status === 'hired' ? new Date(context.nowMs).toISOString().replace(/\.\d+Z$/, '+00:00') : null;
  return accepted(
    {
      applicants: record.remoteId,
      status: body.status,
      hired_at: hired,
      phone: null,
      email: 'applicant@example.com',
      salary: body.salary ?? null,
      employment_type: body.employment_type ?? null,
    },
    context.clientIp,
  );
}
