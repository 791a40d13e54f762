import type { InstitutionBody } from '../contract/institution.js';
import type { TrainingBody } from '../contract/training.js';
import { platformTimestamp } from '../contract/time.js';
import { clientUuid, rehosted } from './company-view.js';
import { institutionView } from './institution-view.js';
import { regionView } from './region-view.js';
import { parentOf } from './parent-of.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';

/** `data` of Find Training: not shown anywhere, assumed to be the fields of the Put with the records it names. */
export function trainingView(record: StoredRecord<TrainingBody>, context: RequestContext): object {
  const { body } = record;
  const parent = parentOf<InstitutionBody>(record, context);
  return {
    id: record.remoteId,
    reference: record.reference,
    client_id: clientUuid(context.clientId),
    title: body.title,
    description: body.description ?? null,
    address: body.address ?? null,
    region: regionView(body.region),
    media: body.media ?? null,
    difficulty_level: body.difficulty_level ?? null,
    price: body.price ?? null,
    certified: body.certified ?? null,
    bnsp_certified: body.bnsp_certified ?? null,
    quota: body.quota ?? null,
    expired_date: body.expired_date ?? null,
    start_date: body.start_date ?? null,
    finish_date: body.finish_date ?? null,
    cover_uri: rehosted(body.cover_uri),
    institution: parent ? institutionView(parent, context) : null,
    created_at: platformTimestamp(record.createdAtMs, context.timeZone),
    updated_at: platformTimestamp(record.updatedAtMs, context.timeZone),
  };
}
