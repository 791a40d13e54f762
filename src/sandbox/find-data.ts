import { platformTimestamp } from '../contract/time.js';
import type { OperationName } from '../contract/operation.js';
import { entity } from '../entities/index.js';
import type { ReadBack } from '../entities/read-back.js';
import { putAt } from './at-path.js';
import { companyView, rehosted } from './company-view.js';
import { shownFind } from './deviations/shown-find.js';
import { shownReference } from './deviations/shown-reference.js';
import { institutionView } from './institution-view.js';
import { parentOf } from './parent-of.js';
import type { RequestContext } from './request-context.js';
import type { StoredRecord } from './store.js';
import { trainingView } from './training-view.js';
import { vacancyView } from './vacancy-view.js';

/** Finds whose reply the interface shows, or that was assumed in full, by operation. */
const VIEWS: Readonly<Record<OperationName, (record: never, context: RequestContext) => object>> = {
  findCompany: companyView,
  findVacancy: vacancyView,
  findInstitution: institutionView,
  findTraining: trainingView,
};

/** `data` of a Find, with the deviations in force. */
export function findData(record: StoredRecord, context: RequestContext): object {
  const { deviations } = context;
  const held = [record, parentOf(record, context)].filter((each) => each !== null);
  const data =
    deviations.find.shape === 'echo' ? echo(record, context) : interfaceData(withoutNulls(record), context);
  return shownFind(data, deviations, (reference) => {
    const of = held.find((each) => each.reference === reference);
    return of === undefined ? reference : shownReference(of, deviations.reference);
  });
}

/** As its view has it, else no more than what a read-back looks at. */
function interfaceData(record: StoredRecord, context: RequestContext): object {
  const view = VIEWS[context.operation.name];
  if (view !== undefined) return view(record as never, context);
  const { readBack } = entity(context.operation.entity);
  return readBack === null ? {} : readBackData(record, readBack);
}

function echo(record: StoredRecord, { timeZone }: RequestContext): object {
  return {
    id: record.remoteId,
    reference: record.reference,
    ...record.body,
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
