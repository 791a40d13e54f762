import { platformDay } from '../../contract/time.js';
import type { OperationName } from '../../contract/operation.js';
import { hashPayload } from '../../domain/payload.js';
import {
  emptySeen,
  endOf,
  type ProbeEnd,
  type ProbeRules,
  type ProbeSeen,
  referenceOf,
} from '../../domain/probe/seen.js';
import type { Reply } from '../../domain/reply/reply.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { RunContext } from '../run-context.js';
import { childOf } from './child-of.js';
import { fieldAfter } from './field-after.js';
import { foundRecord } from './found-record.js';
import { optionalField } from './optional-field.js';
import type { ProbeSubject, ProbeSubjects } from './probe-subject.js';
import { putSubject, type ProbePut, type PutContext } from './put-subject.js';

export interface ProbeContext extends PutContext, Pick<RunContext, 'signal' | 'newId'> {
  readonly rules: ProbeRules;
  /** Done once, before the first request that changes something: the ledger must know of it before the platform does. */
  readonly beforePuts: () => Promise<void>;
  /** Whether the Find of an entity may be used. */
  readonly isReadable: (entity: string) => boolean;
}

export interface ProbeRun {
  readonly seen: ProbeSeen;
  readonly end: ProbeEnd | null;
  /** False: the platform may hold the parent without the field that was left out. */
  readonly whole: boolean;
}

type Draft = { -readonly [Key in keyof ProbeSeen]: ProbeSeen[Key] };

const STOPPED: ProbeEnd = { kind: 'refused', because: 'a signal or a lost lease ended the probe' };

/**
 * The requests of a first contact, one after the other, the harmless ones first; at most 11. It ends early when the rest
 * would mean nothing or be a burden. However it ends, after a Put without a field comes one of the whole record.
 */
export async function probePlatform(context: ProbeContext, subjects: ProbeSubjects): Promise<ProbeRun> {
  const { rules, newId, signal, lease, lane } = context;
  const { parent, child } = subjects;
  const seen: Draft = emptySeen(rules, child && childOf(child.entity));
  let end: ProbeEnd | null = null;
  let whole = true;
  /** Of the last Put of the whole parent. */
  let lastRequestId = '';

  const goesOn = () => !signal.aborted && lease.held();
  /** Notes whether a reply ends the probe; null: the request was not sent. Gives whether it goes on. */
  const passes = (reply: Reply | null, options?: Parameters<typeof endOf>[2]): boolean => {
    end ??= reply === null ? STOPPED : endOf(reply, rules, options);
    return end === null;
  };
  const find = (operation: OperationName, platformId: string, wrong: { wrongSignature?: true } = {}) =>
    lane.send({ operation, platformId, requestId: newId(), body: null, ...wrong }, goesOn);
  const putParent = (of: Partial<ProbePut> = {}, mayStart = goesOn): Promise<Reply | null> => {
    const requestId = of.requestId ?? newId();
    if (of.payload === undefined) lastRequestId = requestId;
    return putSubject(context, { ...wholeOf(parent), parent: null, ...of, requestId }, mayStart);
  };
  const findOf = ({ name, readBack }: ConfiguredEntity): OperationName | null =>
    readBack !== null && context.isReadable(name) ? readBack.find : null;
  const today = () => platformDay(context.clock.now(), context.settings.platform.timeZone);
  const findParent = findOf(parent.entity);

  const run = async (): Promise<void> => {
    if (findParent !== null) {
      // Of an id that no record has: nothing can be changed or shown by it.
      seen.unknownFind = await find(findParent, newId());
      if (!passes(seen.unknownFind)) return;
      // Once: more of them could lock the client out.
      seen.wrongSignature = await find(findParent, newId(), { wrongSignature: true });
      if (seen.wrongSignature?.kind !== 'answered' && !passes(seen.wrongSignature)) return;
    }
    await context.beforePuts();
    seen.put = await putParent();
    if (!passes(seen.put, { put: true })) return;
    if (findParent !== null) {
      const reply = await find(findParent, parent.platformId);
      seen.found =
        reply &&
        foundRecord(parent.entity, reply, parent.payload, today(), context.settings.platform.timeZone);
      if (!passes(reply)) return;
    }
    seen.putAgain = await putParent();
    if (!passes(seen.putAgain, { put: true })) return;
    if (findParent !== null) await tryWithoutField(findParent);
    if (end === null && child !== null) await tryChild(child);
    if (end !== null) return;
    seen.repeated = await putParent({ requestId: lastRequestId, repeated: true });
    if (seen.repeated === null) end = STOPPED;
  };

  const tryWithoutField = async (operation: OperationName): Promise<void> => {
    const chosen = optionalField(parent.entity, parent.payload, seen.found);
    if (chosen === null) return;
    const { field, column, read } = chosen;
    const asNull = parent.entity.mapContext.absent?.[column] === null;
    const { [field]: value = null, ...rest } = parent.payload;
    const payload = asNull ? { ...rest, [field]: null } : rest;
    const put = await putParent({ payload, hash: hashPayload(payload) });
    seen.leftOut = { field, asNull, put, find: null, after: null };
    if (!mayHaveChanged(put)) {
      passes(put);
      return;
    }
    if (passes(put)) {
      const shown = await find(operation, parent.platformId);
      seen.leftOut = { ...seen.leftOut, find: shown, after: fieldAfter(shown, read, value) };
      passes(shown);
    }
    // Also when the probe ends here: the record must not stay without the field.
    seen.restored = await putParent({}, lease.held);
    whole = seen.restored?.kind === 'answered' && seen.restored.status <= 299;
    passes(seen.restored, { put: true });
  };

  const tryChild = async (record: ProbeSubject): Promise<void> => {
    const reference = referenceOf(seen.restored ?? seen.putAgain);
    if (reference === null) return;
    const named = { reference, payload: parent.payload };
    seen.putChild = await putSubject(
      context,
      { ...wholeOf(record), parent: named, requestId: newId() },
      goesOn,
    );
    const operation = findOf(record.entity);
    if (!passes(seen.putChild) || !mayHaveChanged(seen.putChild) || operation === null) return;
    const reply = await find(operation, record.platformId);
    const link = record.entity.parent;
    const body = link === null ? record.payload : { ...record.payload, [link.field]: { id: reference } };
    seen.foundChild =
      reply && foundRecord(record.entity, reply, body, today(), context.settings.platform.timeZone);
    passes(reply);
  };

  await run();
  const ended = end as ProbeEnd | null;
  return { seen: { ...seen, ended: ended?.because ?? null }, end: ended, whole };
}

function wholeOf(subject: ProbeSubject): Pick<ProbePut, 'subject' | 'payload' | 'hash'> {
  return { subject, payload: subject.payload, hash: subject.hash };
}

/** Whether a Put may have had an effect: it was accepted, or nobody knows. */
function mayHaveChanged(reply: Reply | null): boolean {
  if (reply?.kind !== 'answered') return reply?.kind === 'silent';
  return reply.status <= 299 || reply.status >= 500;
}
