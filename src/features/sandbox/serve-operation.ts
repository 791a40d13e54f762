import type { ApplicationStatusBody } from '../../core/contract/application-status.js';
import { type DoubtedBody, findDoubts } from '../../core/contract/doubts.js';
import type { OperationName } from '../../core/contract/operation.js';
import { allowNulls, type BodyProblem, bodyProblems } from '../../core/contract/schema-fields.js';
import { platformTimestamp } from '../../core/contract/time.js';
import type { Entity } from '../../core/entities/entity.js';
import { childrenOf, entity } from '../../core/entities/index.js';
import { type Answer, invalidFields, refusal } from './answer.js';
import { findData, findParent, parentReference } from './find-data.js';
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

/**
 * Creates or updates. The parent that the body names, where there is one, must have been put before (interface §2; of
 * trainings assumed). A PATCH accepts every id, because the sandbox sends any.
 */
function put(context: RequestContext): Answer {
  const { operation, store, id, nowMs, body } = context;
  const problems = allProblems(body, context);
  if (problems.length > 0) return invalidFields(problems);
  const record = store.put(operation.entity, id, body as StoredRecord['body'], nowMs);
  return answer(putData(record, context), context);
}

/** What is wrong with the types, with the interface's words, and with the parent. */
function allProblems(
  sent: unknown,
  context: RequestContext,
): readonly Pick<BodyProblem, 'field' | 'message'>[] {
  const { operation, store } = context;
  const { parent } = entity(operation.entity);
  const problems = [
    ...(operation.body === null ? [] : bodyProblems(allowNulls(operation.body), sent)),
    ...(context.strict ? strictProblems(operation.name, entity(operation.entity), sent) : []),
  ].filter(({ code }) => code !== 'unknown' || context.strict);
  const link =
    typeof sent === 'object' && sent !== null ? parentReference(sent as StoredRecord['body'], parent) : null;
  if (parent === null || link === null || findParent(link, parent, store) !== null) return problems;
  const named = `${parent.field}.id`;
  if (problems.some(({ field }) => field === named)) return problems;
  const message = `is not the reference of a known ${entity(parent.entity).noun.one}`;
  return [...problems, { field: named, message }];
}

/** `data` of a Put or of a status update. */
function putData(record: StoredRecord, context: RequestContext): object {
  const { operation, timeZone } = context;
  if (operation.kind === 'PATCH') return statusData(record, context);
  const { label } = entity(operation.entity);
  return {
    id: record.remoteId,
    reference: record.reference,
    ...(label === null ? {} : { [label]: record.body[label] }),
    created_at: platformTimestamp(record.createdAtMs, timeZone),
  };
}

function find(context: RequestContext): Answer {
  const record = context.store.find(context.operation.entity, context.id);
  return record === null ? notFound(context) : answer(findData(record, context), context);
}

/** Refused while children name the record, so that a rehearsal shows an order that would not work. */
function remove(context: RequestContext): Answer {
  const { operation, store, id } = context;
  const { name, noun } = entity(operation.entity);
  const record = store.find(name, id);
  if (record === null) return notFound(context);
  const left = childrenOf(name).find(({ name: child, parent }) =>
    store.list(child).some(({ body }) => {
      const link = parentReference(body, parent);
      return parent !== null && link !== null && findParent(link, parent, store) === record;
    }),
  );
  if (left !== undefined) return refusal(422, `The ${noun.one} still has ${left.noun.many}`);
  store.forget(name, id);
  return answer({}, context);
}

/** The answer to a request that was processed: the envelope of interface §1. */
function answer(data: object, { clientIp }: RequestContext): Answer {
  const meta = { client_ip: clientIp, hostname: 'sandbox', version: 'v1' };
  return { status: 200, body: { data, meta }, message: null };
}

function notFound({ operation }: RequestContext): Answer {
  const { one } = entity(operation.entity).noun;
  return refusal(404, `${one.slice(0, 1).toUpperCase()}${one.slice(1)} not found`);
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
