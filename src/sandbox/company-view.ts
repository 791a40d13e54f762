import type { CompanyBody } from '../contract/company.js';
import { platformTimestamp } from '../contract/time.js';
import { UUID_PATTERN } from '../contract/fields.js';
import { derivedId } from './derived-id.js';
import { regionView } from './region-view.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** `data` of Find Company (interface §2). A field that was not sent is null. */
export function companyView(record: StoredRecord<CompanyBody>, context: RequestContext): object {
  const { body } = record;
  return {
    id: derivedId('companies/company', record.id),
    license_number: body.license_number ?? null,
    about: body.about ?? null,
    website: body.website ?? null,
    latitude: body.latitude ?? null,
    longitude: body.longitude ?? null,
    created_at: platformTimestamp(record.createdAtMs, context.timeZone),
    updated_at: platformTimestamp(record.updatedAtMs, context.timeZone),
    logo_uri: rehosted(body.logo_uri),
    cover_uri: rehosted(body.cover_uri),
    industry: catalogueView('industry', body.industry),
    employer: employerView(record, context),
  };
}

/** Employer record, as it stands in a company and in a vacancy's job. */
export function employerView(record: StoredRecord<CompanyBody>, context: RequestContext): object {
  const { body } = record;
  return {
    id: record.remoteId,
    name: body.name,
    client_id: clientUuid(context.clientId),
    reference: record.reference,
    postal_code: body.postal_code ?? null,
    address: body.address ?? null,
    phone: body.phone ?? null,
    email: body.email ?? null,
    region: regionView(body.region),
  };
}

/** Id and name of a catalogue entry; the sandbox knows no names. */
export function catalogueView(
  kind: string,
  id: string | null | undefined,
): { id: string; name: string } | null {
  return id === undefined || id === null ? null : { id, name: `${kind} ${id.slice(0, 8)}` };
}

/** The service fetches pictures and hosts them itself, so a read-back shows another address (observed). */
export function rehosted(uri: string | null | undefined): string | null {
  return uri === undefined || uri === null
    ? null
    : `https://files.sandbox.invalid/${derivedId('files', uri)}`;
}

/** `client_id` is a UUID in every response, which the sandbox's own client need not be. */
export function clientUuid(clientId: string): string {
  return UUID_PATTERN.test(clientId) ? clientId : derivedId('clients', clientId);
}
