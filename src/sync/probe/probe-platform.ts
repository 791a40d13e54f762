import type { OperationName } from '../../contract/operation.js';
import { platformDay } from '../../contract/time.js';
import type { Issue } from '../../domain/issue.js';
import type { Area } from '../../domain/names.js';
import { hashPayload } from '../../domain/payload.js';
import {
  emptySeen,
  endOf,
  type FoundRecord,
  type LeftOutField,
  type ProbeEnd,
  type ProbeRules,
  type ProbeSeen,
  referenceOf,
  refusesParent,
  typeWord,
} from '../../domain/probe/seen.js';
import { type Condition, conditionOf, type Precondition } from '../../domain/precondition.js';
import { judgeReply } from '../../domain/reply/judge-reply.js';
import { isObject, valueAt } from '../../domain/reply/refusal.js';
import { configuredRules } from '../../domain/reply/reply-rules.js';
import { cachedFind, type Judgement, type Reply } from '../../domain/reply/reply.js';
import type { JsonObject } from '../../domain/row.js';
import { compareReadBack, showsAnything } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import type { RateLimit } from '../../ports/platform.js';
import type { Claim, Outcome } from '../../ports/queue.js';
import type { HeldLease } from '../lease.js';
import { handBack, outcomeOf } from '../push/outcome.js';
import { requestFinished, requestOf } from '../push/request.js';
import { type ConfiguredEntity, type RunContext, timeoutOf } from '../run-context.js';

export interface ProbeContext extends PutContext, Pick<RunContext, 'signal' | 'newId'> {
  readonly rules: ProbeRules;
  /** Done once, before the first request that changes something: the ledger must know of it before the platform does. */
  readonly beforePuts: () => Promise<void>;
  readonly isReadable: (entity: string) => boolean;
}

interface ProbeRun {
  readonly seen: ProbeSeen;
  readonly end: ProbeEnd | null;
  /** False: the platform may hold the parent without the field that was left out. */
  readonly whole: boolean;
}

type Draft = { -readonly [Key in keyof ProbeSeen]: ProbeSeen[Key] };

const STOPPED: ProbeEnd = { kind: 'refused', because: 'a signal or a lost lease ended the probe' };

/**
 * The requests of a first contact, one after the other, the harmless ones first; at most 15. It ends early when the rest
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
  /** Where Puts need the ETag of now, and the ledger may not have it. */
  const learnEtag = async (operation: OperationName | null, platformId: string): Promise<void> => {
    if (operation !== null && lane.conditional) await find(operation, platformId);
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
  const { timeZone } = context.settings.platform;
  const shownOf = (entity: Entity, reply: Reply | null, body: JsonObject) =>
    reply && foundRecord(entity, reply, body, platformDay(context.clock.now(), timeZone), timeZone);
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
    await learnEtag(findParent, parent.platformId);
    seen.put = await putParent();
    if (!passes(seen.put, { put: true })) return;
    if (findParent !== null) {
      const reply = await find(findParent, parent.platformId);
      seen.found = shownOf(parent.entity, reply, parent.payload);
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
    const { clock } = context;
    const operation = findOf(record.entity);
    await learnEtag(operation, record.platformId);
    const parentPutAt = clock.monotonic();
    const put = () => putSubject(context, { ...wholeOf(record), parent: named, requestId: newId() }, goesOn);
    seen.putChild = await put();
    for (const pauseMs of LOOK_AGAIN_MS) {
      if (!refusesParent(seen.putChild, seen)) break;
      await clock.sleep(pauseMs, signal);
      seen.childAfterMs = clock.monotonic() - parentPutAt;
      seen.putChild = await put();
    }
    if (!passes(seen.putChild) || !mayHaveChanged(seen.putChild) || operation === null) return;
    const reply = await find(operation, record.platformId);
    const link = record.entity.parent;
    const body = link === null ? record.payload : { ...record.payload, [link.field]: { id: reference } };
    seen.foundChild = shownOf(record.entity, reply, body);
    passes(reply);
  };

  await run();
  const ended = end as ProbeEnd | null;
  return { seen: { ...seen, ended: ended?.because ?? null }, end: ended, whole };
}

/** A platform that copies its records may not know a new parent for seconds (5 to 8 seen in public answers). */
const LOOK_AGAIN_MS = [1_000, 2_000, 3_000, 4_000];

function wholeOf(subject: ProbeSubject): Pick<ProbePut, 'subject' | 'payload' | 'hash'> {
  return { subject, payload: subject.payload, hash: subject.hash };
}

/** Whether a Put may have had an effect: it was accepted, or nobody knows. */
function mayHaveChanged(reply: Reply | null): boolean {
  if (reply?.kind !== 'answered') return reply?.kind === 'silent';
  return reply.status <= 299 || reply.status >= 500;
}

interface ProbePut {
  readonly subject: ProbeSubject;
  /** What is sent of it, and its hash. */
  readonly payload: JsonObject;
  readonly hash: string;
  /** The parent that it names; null: it has none. */
  readonly parent: { readonly reference: string | number; readonly payload: JsonObject } | null;
  readonly requestId: string;
  /** The Request-Id was used before, so a refusal says nothing about the record. */
  readonly repeated?: true;
}

interface PutContext extends Pick<RunContext, 'state' | 'settings' | 'clock' | 'random'> {
  readonly lane: ReturnType<typeof createProbeLane>;
  /** Of the push. */
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
}

/**
 * One Put under the protocol of a push: claim → compose → sign → send → judge reply → record outcome. A kill in between
 * leaves an open claim, which the next push confirms. `mayStart`: asked when its turn in the rate has come. Null: it was
 * not sent. Errors: SyncError `lease-lost`.
 */
async function putSubject(
  { state, settings, clock, random, lane, lease }: PutContext,
  { subject, payload, hash, parent, requestId, repeated }: ProbePut,
  mayStart: () => boolean,
): Promise<Reply | null> {
  const { entity, key, platformId } = subject;
  const timeoutMs = timeoutOf(settings, entity.name);
  // The confirmation counts from the claim, so its first half is for waiting.
  const sendBefore = clock.monotonic() + timeoutMs;
  const claim = await lease.fenced((fence) =>
    state.queue.claimRecord({ fence, entity: entity.name, key, requestId, hash, payload }),
  );
  if (claim === null) return null;
  const { operation, method, body, sent } = requestOf(entity, { ...claim, parent });
  const condition = lane.conditionFor(method, claim);
  const reply = await lane.send(
    { operation, key, platformId, requestId, body, condition },
    () => mayStart() && lease.held() && clock.monotonic() <= sendBefore,
  );
  const rules = configuredRules(settings.areas[entity.area]?.replies);
  const outcome = ((): Outcome => {
    if (reply === null) return handBack(claim);
    const judgement = judgeReply(
      reply,
      { method, now: clock.now(), operation, own: settings.areas[entity.area]?.own },
      rules,
    );
    if (repeated)
      return outcomeOfRepeat(claim, judgement, () => outcomeOf(claim, judgement, settings.retry, random()));
    return { ...outcomeOf(claim, judgement, settings.retry, random()), sent };
  })();
  await lease.fenced((fence) =>
    state.queue.record({ fence, outcomes: [outcome], tallies: [], timeoutMs: () => timeoutMs }),
  );
  return reply;
}

/**
 * The request went out once before, with the same payload: processed or not, the platform holds the same. Only one that
 * may still arrive, after a newer payload, must be confirmed. The journal has the first one.
 */
function outcomeOfRepeat(claim: Claim, judgement: Judgement, usual: () => Outcome): Outcome {
  const mayArrive = 'known' in judgement && !judgement.known;
  return judgement.kind === 'accepted' || mayArrive ? usual() : handBack(claim);
}

export const MOST_REQUESTS = 20;

interface ProbeRequest {
  readonly operation: OperationName;
  readonly key?: string | undefined;
  readonly platformId: string;
  readonly requestId: string;
  readonly body: JsonObject | null;
  readonly condition?: Condition | null;
  readonly wrongSignature?: true;
}

/** @param precondition of the area */
export function createProbeLane(
  { platform, clock, emit }: Pick<RunContext, 'platform' | 'clock' | 'emit'>,
  area: Area,
  rateLimit: RateLimit,
  precondition: Precondition = 'none',
) {
  let sent = 0;
  /** By platform id, as the latest reply had it; null: there is no such record. */
  const etags = new Map<string, string | null>();
  return {
    conditional: precondition !== 'none',
    /** The condition of a Put of this claim. */
    conditionFor(method: string, { platformId, etag = null, unacknowledged }: Claim): Condition | null {
      const now = etags.get(platformId);
      return conditionOf(precondition, method, { etag: now === undefined ? etag : now, unacknowledged });
    },
    /**
     * Sends one request within the rate of the area; null: it was not sent, because `mayStart` said no when its turn
     * came, or because there were enough.
     */
    send(request: ProbeRequest, mayStart: () => boolean): Promise<Reply | null> {
      const askedAt = clock.monotonic();
      return rateLimit.schedule(async (place) => {
        if (sent >= MOST_REQUESTS || !mayStart()) {
          place.release();
          return null;
        }
        sent += 1;
        const sentAt = clock.monotonic();
        const reply = await platform(area).send({ ...request, onWritten: place.written });
        emit(requestFinished(area, request.operation, reply, { askedAt, sentAt, now: clock.monotonic() }));
        const isNews = reply.kind === 'answered' && !reply.cache;
        if (isNews && (reply.etag !== undefined || reply.status === 404))
          etags.set(request.platformId, reply.etag ?? null);
        return reply;
      });
    },
  };
}

/** A record that a first contact sends: its row as it is now. */
export interface ProbeSubject {
  readonly entity: ConfiguredEntity;
  readonly key: string;
  readonly platformId: string;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly payload: JsonObject;
  readonly hash: string;
}

/** The records that were named; a record that is not valid has issues instead. */
export type ReadSubject =
  | { readonly subject: ProbeSubject }
  | { readonly entity: ConfiguredEntity; readonly key: string; readonly issues: readonly Issue[] };

export interface ProbeSubjects {
  readonly parent: ProbeSubject;
  /** A record that names the parent; null: none was named. */
  readonly child: ProbeSubject | null;
}

const SHOWS_NOTHING = 'it shows none of the fields of the record';

/**
 * What the reply to a Find shows of a body that was just sent. `today`: `YYYY-MM-DD` in the platform's zone,
 * `timeZone`.
 */
export function foundRecord(
  entity: Entity,
  reply: Reply,
  body: JsonObject,
  today: string,
  timeZone: string,
): FoundRecord | null {
  const { readBack, noun, lastDay } = entity;
  if (readBack === null) return null;
  const json = reply.kind === 'answered' ? reply.json : undefined;
  const data = isObject(json) && isObject(json.data) ? (json.data as JsonObject) : null;
  const nothing = { noun: noun.one, reply, shown: [], hidden: [], differing: [] };
  if (reply.kind === 'answered' && reply.cache) return { ...nothing, misfit: cachedFind(reply.cache) };
  if (data === null) return { ...nothing, misfit: 'the reply has no data object' };
  // As verify reads it: what is not shown, or shown elsewhere, is not compared.
  if (!showsAnything(readBack, data)) return { ...nothing, misfit: SHOWS_NOTHING };
  const fields = readBack.fields.filter(({ sent }) => (valueAt(body, sent) ?? null) !== null);
  const { drift, compared } = compareReadBack({ ...readBack, fields }, body, data, {
    today,
    lastDay,
    timeZone,
  });
  const isShown = (sent: string) => compared.includes(sent);
  return {
    ...nothing,
    // Types that differ are borne; a reply that shows nothing of the record is another one.
    misfit: compared.length === 0 && fields.length > 0 ? SHOWS_NOTHING : null,
    shown: fields
      .filter(({ sent }) => isShown(sent))
      .map(({ sent, read }) => {
        const held = read === null ? undefined : valueAt(data, read);
        const [as, was] = [typeWord(held), typeWord(valueAt(body, sent))];
        return { field: sent, as: held === undefined || as === was ? null : as };
      }),
    hidden: fields.filter(({ sent }) => !isShown(sent)).map(({ sent }) => sent),
    differing: drift.flatMap(({ field, held }) => (held === null ? [] : [field])),
  };
}

/**
 * A text of the body that can be left out for a moment: the entity does not need it, and the Find has shown it as it
 * was sent. The longest of them, because it is a description and not an address. Null: there is none.
 */
function optionalField(
  { label, statusField, lastDay, columns, assumedRequired, mapContext, readBack }: ConfiguredEntity,
  payload: Readonly<Record<string, unknown>>,
  found: FoundRecord | null,
): { readonly field: string; readonly column: string; readonly read: string } | null {
  const required = mapContext.required ?? assumedRequired;
  const kept = new Set([label, statusField, lastDay]);
  const candidates = (readBack?.fields ?? []).flatMap(({ sent: field, read, rule }) => {
    const column = columns.find(({ name, field: filled }) => (filled ?? name) === field);
    const text = valueAt(payload, field);
    if (read === null) return [];
    const usable =
      rule === 'text' &&
      column !== undefined &&
      typeof text === 'string' &&
      text.trim() !== '' &&
      !field.includes('.') &&
      !column.required &&
      !required.includes(column.name) &&
      !kept.has(field) &&
      found?.shown.some((each) => each.field === field) === true &&
      !found.differing.includes(field);
    return usable ? [{ field, column: column.name, read, length: text.length }] : [];
  });
  const [longest] = candidates.sort((a, b) => b.length - a.length);
  return longest === undefined ? null : { field: longest.field, column: longest.column, read: longest.read };
}

/**
 * What became of a field by the Find after a Put without it. `read`: its path in `data`; `value`: what was sent before.
 * Null: the Find does not show the record.
 */
function fieldAfter(reply: Reply | null, read: string, value: unknown): LeftOutField['after'] {
  if (reply?.kind !== 'answered' || reply.status > 299 || reply.cache) return null;
  const data = valueAt(reply.json, 'data');
  if (!isObject(data)) return null;
  const now = trimmed(valueAt(data, read) ?? null);
  if (now === null || now === '') return 'cleared';
  return now === trimmed(value) ? 'kept' : 'changed';
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value;
}

export function childOf({ noun, parent }: Entity): { readonly noun: string; readonly parentField: string } {
  return { noun: noun.one, parentField: `${parent?.field ?? ''}.id` };
}
