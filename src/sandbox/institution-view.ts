import type { InstitutionBody } from '../contract/institution.js';
import { platformTimestamp } from '../contract/time.js';
import { clientUuid, rehosted } from './company-view.js';
import { regionView } from './region-view.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** `data` of Find Institution: not shown in the interface, assumed after the pattern of the employer record. */
export function institutionView(record: StoredRecord<InstitutionBody>, context: RequestContext): object {
  const { body } = record;
  return {
    id: record.remoteId,
    name: body.name,
    client_id: clientUuid(context.clientId),
    reference: record.reference,
    address: body.address ?? null,
    phone: body.phone ?? null,
    email: body.email ?? null,
    logo_uri: rehosted(body.logo_uri),
    region: regionView(body.region),
    created_at: platformTimestamp(record.createdAtMs, context.timeZone),
    updated_at: platformTimestamp(record.updatedAtMs, context.timeZone),
  };
}
