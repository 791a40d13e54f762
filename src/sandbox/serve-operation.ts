import { allowNulls, type BodyProblem, bodyProblems } from '../contract/schema-fields.js';
import { platformTimestamp } from '../contract/time.js';
import { childrenOf, entity } from '../entities/index.js';
import { invalidFields, refusal, type Answer } from './answer.js';
import { putAt } from './at-path.js';
import { acceptedAnswer, type Done } from './deviations/accepted-answer.js';
import { mergedBody } from './deviations/merged-body.js';
import { shownReference } from './deviations/shown-reference.js';
import { findData } from './find-data.js';
import { findParent, parentReference } from './parent-of.js';
import type { RequestContext } from './request-context.js';
import { statusData } from './status-data.js';
import type { StoredRecord } from './store.js';
import { strictProblems } from './strict-problems.js';

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

/** Answers a request that was processed before, and changes nothing. */
export function replayOperation(context: RequestContext): Answer {
  const { operation, store, id } = context;
  const record = store.find(operation.entity, id);
  if (record === null) return answer({}, 'updated', context);
  return operation.kind === 'GET' ? find(context) : answer(putData(record, context), 'updated', context);
}

/**
 * Creates or updates. The parent that the body names, where there is one, must have been put before (interface §2; of
 * trainings assumed). A PATCH accepts every id unless a deviation says otherwise, because the sandbox sends any.
 */
function put(context: RequestContext): Answer {
  const { operation, store, id, nowMs, deviations } = context;
  if (operation.kind === 'PATCH' && !isKnownApplication(context)) return unknown(context);
  const known = store.find(operation.entity, id);
  const sent = deviations.bodies.merge ? mergedBody(known?.body ?? null, context.body) : context.body;
  const problems = allProblems(sent, context);
  if (problems.length > 0) return invalidFields(problems);
  const record = store.put(operation.entity, id, sent as StoredRecord['body'], nowMs);
  return answer(putData(record, context), known === null ? 'created' : 'updated', context);
}

/** What is wrong with the types, with the interface's words, and with the parent. */
function allProblems(
  sent: unknown,
  context: RequestContext,
): readonly Pick<BodyProblem, 'field' | 'message'>[] {
  const { operation, store, deviations } = context;
  const { parent } = entity(operation.entity);
  const body = sent as StoredRecord['body'];
  const link = typeof sent === 'object' && sent !== null ? parentReference(body, parent) : null;
  const found =
    parent === null || link === null ? null : findParent(link, parent, store, deviations.reference);
  const named = `${parent?.field ?? ''}.id`;
  // The contract's links are UUIDs; those of this platform need not be.
  const typed =
    found === null || parent === null
      ? sent
      : { ...body, [parent.field]: { ...(body[parent.field] as object), id: found.reference } };
  const problems = [
    ...(operation.body === null ? [] : bodyProblems(allowNulls(operation.body), typed)),
    ...(context.strict ? strictProblems(operation.name, entity(operation.entity), sent) : []),
  ].filter(({ code }) => code !== 'unknown' || !context.acceptExtraFields);
  if (parent === null || link === null || found !== null) return problems;
  const others = problems.filter(({ field }) => field !== named);
  if (deviations.reference.form === 'uuid' && others.length < problems.length) return problems;
  const message = `is not the reference of a known ${entity(parent.entity).noun.one}`;
  return [...others, { field: named, message }];
}

/** `data` of a Put or of a status update. */
function putData(record: StoredRecord, context: RequestContext): object {
  const { operation, deviations, timeZone } = context;
  if (operation.kind === 'PATCH') return statusData(record, context);
  const { label } = entity(operation.entity);
  const data: Record<string, unknown> = deviations.replies.id ? { id: record.remoteId } : {};
  const reference = shownReference(record, deviations.reference);
  if (reference !== undefined) putAt(data, deviations.reference.field, reference);
  if (label !== null) data[label] = record.body[label];
  data.created_at = platformTimestamp(record.createdAtMs, timeZone);
  return data;
}

function find(context: RequestContext): Answer {
  const record = context.store.find(context.operation.entity, context.id);
  return record === null ? unknown(context) : answer(findData(record, context), 'found', context);
}

/** Refused while children name the record, so that a rehearsal shows an order that would not work. */
function remove(context: RequestContext): Answer {
  const { operation, store, id, deviations } = context;
  const { name, noun } = entity(operation.entity);
  const record = store.find(name, id);
  if (record === null) return unknown(context);
  const left = childrenOf(name).find(({ name: child, parent }) =>
    store.list(child).some(({ body }) => {
      const link = parentReference(body, parent);
      return (
        parent !== null && link !== null && findParent(link, parent, store, deviations.reference) === record
      );
    }),
  );
  if (left !== undefined) return refusal(422, `The ${noun.one} still has ${left.noun.many}`);
  store.forget(name, id);
  return answer({}, 'deleted', context);
}

function isKnownApplication({ id, deviations, isSentApplication }: RequestContext): boolean {
  const { accept, known } = deviations.applications;
  return (
    accept === 'any' || known.some((each) => each.toLowerCase() === id.toLowerCase()) || isSentApplication(id)
  );
}

function answer(data: object | null, done: Done, { clientIp, deviations }: RequestContext): Answer {
  return acceptedAnswer(data, done, clientIp, deviations.replies);
}

function unknown(context: RequestContext): Answer {
  const { status } = context.deviations.errors.unknownId;
  // A platform that answers a success has no words for it either.
  if (status < 300) return { ...answer(null, 'found', context), status };
  const { one } = entity(context.operation.entity).noun;
  return refusal(404, `${one.slice(0, 1).toUpperCase()}${one.slice(1)} not found`, 'unknownId');
}
