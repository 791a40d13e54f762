import { allowNulls } from '../contract/allow-nulls.js';
import { bodyProblems } from '../contract/body-problems.js';
import { platformTimestamp } from '../contract/platform-timestamp.js';
import { childrenOf, entity } from '../entities/index.js';
import { accepted, invalidFields, refusal, type Answer } from './answer.js';
import { findData } from './find-data.js';
import { parentReference, type RequestContext } from './request-context.js';
import { statusData } from './status-data.js';
import type { StoredRecord } from './store.js';

/**
 * Carries out one request that passed all checks, at once and in one go, so that no two get mixed up. What differs
 * between kinds of record is in their contracts and in the registry.
 */
export function serveOperation(context: RequestContext): Answer {
  switch (context.operation.kind) {
    case 'GET':
      return find(context);
    case 'DELETE':
      return remove(context);
    case 'PUT':
    case 'PATCH':
      return put(context);
  }
}

/**
 * Creates or updates. The parent that the body names, where there is one, must have been put before (interface §2; of
 * trainings assumed). A PATCH accepts every id, because the sandbox sends any.
 */
function put(context: RequestContext): Answer {
  const { operation, store, id, nowMs } = context;
  const { name, label, parent } = entity(operation.entity);
  const problems = operation.body === null ? [] : bodyProblems(allowNulls(operation.body), context.body);
  const refused = problems.filter(({ code }) => code !== 'unknown' || !context.acceptExtraFields);
  if (refused.length > 0) return invalidFields(refused);
  const body = context.body as StoredRecord['body'];
  const reference = parentReference(body, parent);
  if (parent !== null && reference !== null && store.findByReference(parent.entity, reference) === null) {
    const message = `is not the reference of a known ${entity(parent.entity).noun.one}`;
    return invalidFields([{ field: `${parent.field}.id`, message }]);
  }
  const record = store.put(name, id, body, nowMs);
  if (operation.kind === 'PATCH') return accepted(statusData(record, context), context.clientIp);
  const data = {
    id: record.remoteId,
    reference: record.reference,
    ...(label === null ? {} : { [label]: body[label] }),
    created_at: platformTimestamp(record.createdAtMs, context.timeZone),
  };
  return accepted(data, context.clientIp);
}

function find(context: RequestContext): Answer {
  const record = context.store.find(context.operation.entity, context.id);
  return record === null ? unknown(context) : accepted(findData(record, context), context.clientIp);
}

/** Refused while children name the record, so that a rehearsal shows an order that would not work. */
function remove(context: RequestContext): Answer {
  const { operation, store, id } = context;
  const { name, noun } = entity(operation.entity);
  const record = store.find(name, id);
  if (record === null) return unknown(context);
  const left = childrenOf(name).find((child) =>
    store.list(child.name).some(({ body }) => parentReference(body, child.parent) === record.reference),
  );
  if (left !== undefined) return refusal(422, `The ${noun.one} still has ${left.noun.many}`);
  store.forget(name, id);
  return accepted({}, context.clientIp);
}

function unknown({ operation }: RequestContext): Answer {
  const { one } = entity(operation.entity).noun;
  return refusal(404, `${one.slice(0, 1).toUpperCase()}${one.slice(1)} not found`);
}
