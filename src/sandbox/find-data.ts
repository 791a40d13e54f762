import type { OperationName } from '../contract/operation.js';
import { entity } from '../entities/index.js';
import type { ReadBack } from '../entities/read-back.js';
import { companyView, rehosted } from './company-view.js';
import { institutionView } from './institution-view.js';
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

/** `data` of a Find: as its view has it, else no more than what a read-back looks at. */
export function findData(record: StoredRecord, context: RequestContext): object {
  const view = VIEWS[context.operation.name];
  if (view !== undefined) return view(record as never, context);
  const { readBack } = entity(context.operation.entity);
  return readBack === null ? {} : readBackData(record, readBack);
}

function readBackData({ body, remoteId, reference }: StoredRecord, { fields, linkPaths }: ReadBack): object {
  const data: Record<string, unknown> = {};
  for (const { sent, read, rule } of fields) {
    if (read === null) continue;
    const value = sent
      .split('.')
      .reduce<unknown>((at, step) => (at as typeof data | undefined)?.[step], body);
    put(data, read, rule === 'picture' ? rehosted(value as string | null | undefined) : (value ?? null));
  }
  put(data, linkPaths.id, remoteId);
  put(data, linkPaths.reference, reference);
  return data;
}

function put(data: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at = data;
  for (const step of steps) at = (at[step] ??= {}) as Record<string, unknown>;
  at[last] = value;
}
