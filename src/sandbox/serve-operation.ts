import type { ApplicationStatusBody } from '../contract/application-status.js';
import { type DoubtedBody, findDoubts } from '../contract/doubts.js';
import type { OperationName } from '../contract/operation.js';
import { allowNulls, type BodyProblem, bodyProblems } from '../contract/schema-fields.js';
import { platformTimestamp } from '../contract/time.js';
import type { Entity } from '../entities/entity.js';
import { childrenOf, entity } from '../entities/index.js';
import { type Answer, invalidFields, refusal } from './answer.js';
import { acceptedAnswer, type Done, mergedBody } from './deviations/answers.js';
import { checkCondition, etagOf } from './deviations/request-form.js';
import { shownReference } from './deviations/shown-records.js';
import { findData, findParent, parentReference } from './find-data.js';
import { putAt } from './request.js';
import type { RequestContext } from './sandbox-state.js';
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
  if (operation.kind === 'PATCH' && !isKnownApplication(context)) return notFound(context);
  const known = store.find(operation.entity, id);
  const unmet =
    operation.kind === 'PATCH' ? null : checkCondition(context.headers, known, deviations.requests);
  if (unmet !== null) return unmet;
  const sent = deviations.bodies.merge ? mergedBody(known?.body ?? null, context.body) : context.body;
  const problems = allProblems(sent, context);
  if (problems.length > 0) return invalidFields(problems);
  const record = store.put(operation.entity, id, sent as StoredRecord['body'], nowMs);
  return tagged(
    record,
    answer(putData(record, context), known === null ? 'created' : 'updated', context),
    context,
  );
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
  const late = found !== null && context.nowMs < found.createdAtMs + deviations.reference.visibleAfter;
  if (parent === null || link === null || (found !== null && !late)) return problems;
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
  return record === null
    ? notFound(context)
    : tagged(record, answer(findData(record, context), 'found', context), context);
}

/** Refused while children name the record, so that a rehearsal shows an order that would not work. */
function remove(context: RequestContext): Answer {
  const { operation, store, id, deviations } = context;
  const { name, noun } = entity(operation.entity);
  const record = store.find(name, id);
  if (record === null) return notFound(context);
  const unmet = checkCondition(context.headers, record, deviations.requests);
  if (unmet !== null) return unmet;
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

function isKnownApplication({ id, deviations, sentApplications }: RequestContext): boolean {
  const { accept, known } = deviations.applications;
  const asked = id.toLowerCase();
  return (
    accept === 'any' || known.some((each) => each.toLowerCase() === asked) || sentApplications.has(asked)
  );
}

function answer(data: object | null, done: Done, { clientIp, deviations }: RequestContext): Answer {
  return acceptedAnswer(data, done, clientIp, deviations.replies);
}

/** A reply with the ETag of the record, where this platform has them. */
function tagged(record: StoredRecord, reply: Answer, { operation, deviations }: RequestContext): Answer {
  if (deviations.requests.etags === 'none' || operation.kind === 'PATCH') return reply;
  return { ...reply, headers: { ...reply.headers, ETag: etagOf(record) } };
}

function notFound(context: RequestContext): Answer {
  const { status } = context.deviations.errors.unknownId;
  // A platform that answers a success has no words for it either.
  if (status < 300) return { ...answer(null, 'found', context), status };
  const { one } = entity(context.operation.entity).noun;
  return refusal(404, `${one.slice(0, 1).toUpperCase()}${one.slice(1)} not found`, 'unknownId');
}

/** Fields without which a strict platform knows no record, although the interface calls no field required. */
const NEEDED: Readonly<Record<OperationName, readonly string[]>> = { putCompany: ['region'] };

/**
 * Everything that `sandbox --strict` refuses in a body beside what its schema refuses: what the strictest reading of
 * the interface rules out. The worker warns of the same values before it sends them.
 */
export function strictProblems(
  operation: OperationName,
  { doubts }: Pick<Entity, 'doubts'>,
  sent: unknown,
): readonly BodyProblem[] {
  const body = (typeof sent === 'object' && sent !== null ? sent : {}) as DoubtedBody;
  const missing = (NEEDED[operation] ?? []).filter((field) => (body[field] ?? null) === null);
  return [
    ...missing.map((field) => ({ field, code: 'required', message: 'is required' }) as const),
    ...findDoubts(doubts, body, null)
      .filter(({ ruledOut }) => ruledOut)
      .map(({ field, index, message }) => {
        const path = index === undefined ? field : `${field}.${index}`;
        return { field: path, code: 'format', message } as const;
      }),
  ];
}

/** `data` of Update Job Application Status (interface §2). `hired_at` is the time that was sent. */
function statusData(record: StoredRecord, { nowMs, timeZone }: RequestContext): object {
  const { status, timestamp, salary, employment_type } = record.body as ApplicationStatusBody;
  const at = timestamp ?? platformTimestamp(nowMs, timeZone);
  return {
    applicants: record.remoteId,
    status,
    hired_at: status === 'hired' ? localTimeWithOffset(at, timeZone) : null,
    phone: null,
    email: 'applicant@example.com',
    salary: salary ?? null,
    employment_type: employment_type ?? null,
  };
}

const epochOf = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`);

/**
 * @param local `YYYY-MM-DD HH:MM:SS`, a time that exists in the zone
 * @returns the same as ISO 8601 with the zone's UTC offset: `2026-01-31T08:00:00+07:00`
 */
function localTimeWithOffset(local: string, timeZone: string): string {
  const wall = epochOf(local);
  const offsetAt = (ms: number): number => epochOf(platformTimestamp(ms, timeZone)) - ms;
  // The first offset may be that of the other side of a clock change.
  const minutes = Math.round(offsetAt(wall - offsetAt(wall)) / 60_000);
  const two = (number: number): string => String(Math.trunc(number)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${local.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
