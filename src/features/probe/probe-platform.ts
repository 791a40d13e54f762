import { exchange } from '../../core/push/exchange.js';
import type { OperationName } from '../../core/contract/operation.js';
import { platformDay } from '../../core/contract/time.js';
import type { Issue } from '../../core/domain/issue.js';
import type { Area } from '../../core/domain/names.js';
import {
  emptySeen,
  endOf,
  type FoundRecord,
  type ProbeEnd,
  type ProbeSeen,
  referenceOf,
  refusesParent,
  type Seen,
  typeWord,
} from './seen.js';
import { judgeReply } from '../../core/domain/reply/judge-reply.js';
import { isObject, valueAt } from '../../core/domain/reply/refusal.js';
import { cachedFind } from '../../core/domain/reply/reply.js';
import type { JsonObject } from '../../core/domain/row.js';
import { compareReadBack } from '../verify/compare-read-back.js';
import { showsAnything } from '../../core/entities/shown-values.js';
import type { Entity } from '../../core/entities/entity.js';
import { operation } from '../../core/entities/index.js';
import type { PlatformRequest, RateLimit } from '../../core/ports/platform.js';
import type { Outcome } from '../../core/ledger/queue/types.js';
import type { HeldLease } from '../../core/leases.js';
import { handBack, outcomeOf } from '../../core/push/outcome.js';
import { requestOf } from '../../core/push/request.js';
import { type ConfiguredEntity, type RunContext, timeoutOf } from '../../core/context.js';

export interface ProbeContext extends PutContext, Pick<RunContext, 'signal' | 'newId'> {
  /** Of the area. */
  readonly ratePerSecond: number | null;
  /** Done once, before the first request that changes something: the ledger must know of it before the platform does. */
  readonly beforePuts: () => Promise<void>;
  readonly isReadable: (entity: string) => boolean;
}

interface ProbeRun {
  readonly seen: ProbeSeen;
  readonly end: ProbeEnd | null;
}

type Draft = { -readonly [Key in keyof ProbeSeen]: ProbeSeen[Key] };

const STOPPED: ProbeEnd = { kind: 'refused', because: 'a signal or a lost lease ended the probe' };

/**
 * The requests of a first contact, one after the other, the harmless ones first; at most 11. It ends early when the rest
 * would mean nothing or be a burden.
 */
export async function probePlatform(context: ProbeContext, subjects: ProbeSubjects): Promise<ProbeRun> {
  const { ratePerSecond, newId, signal, lease, lane } = context;
  const { parent, child } = subjects;
  const seen: Draft = emptySeen(ratePerSecond, child && childOf(child.entity));
  let end: ProbeEnd | null = null;

  const goesOn = () => !signal.aborted && lease.held();
  /** Notes whether a reply ends the probe; null: the request was not sent. Gives whether it goes on. */
  const passes = (of: Seen | null, options?: Parameters<typeof endOf>[1]): boolean => {
    end ??= of === null ? STOPPED : endOf(of, options);
    return end === null;
  };
  const find = (operation: OperationName, platformId: string, wrong: { wrongSignature?: true } = {}) =>
    lane.send({ operation, platformId, requestId: newId(), body: null, ...wrong }, goesOn);
  const put = (subject: ProbeSubject, named: ProbePut['parent'] = null) =>
    putSubject(context, { subject, parent: named, requestId: newId() }, goesOn);
  const findOf = ({ name, readBack }: ConfiguredEntity): OperationName | null =>
    readBack !== null && context.isReadable(name) ? readBack.find : null;
  const { timeZone } = context.settings.platform;
  const shownOf = (entity: Entity, of: Seen | null, body: JsonObject) =>
    of && foundRecord(entity, of, body, platformDay(context.clock.now(), timeZone), timeZone);

  const run = async (): Promise<void> => {
    const findParent = findOf(parent.entity);
    if (findParent !== null) {
      // Of an id that no record has: nothing can be changed or shown by it.
      seen.unknownFind = await find(findParent, newId());
      if (!passes(seen.unknownFind)) return;
      // Once: more of them could lock the client out.
      seen.wrongSignature = await find(findParent, newId(), { wrongSignature: true });
      if (seen.wrongSignature?.reply.kind !== 'answered' && !passes(seen.wrongSignature)) return;
    }
    await context.beforePuts();
    seen.put = await put(parent);
    if (!passes(seen.put, { put: true })) return;
    if (findParent !== null) {
      const found = await find(findParent, parent.platformId);
      seen.found = shownOf(parent.entity, found, parent.payload);
      if (!passes(found)) return;
    }
    seen.putAgain = await put(parent);
    if (passes(seen.putAgain, { put: true }) && child !== null) await tryChild(child);
  };

  const tryChild = async (record: ProbeSubject): Promise<void> => {
    const reference = referenceOf(seen.putAgain);
    if (reference === null) return;
    const named = { reference, payload: parent.payload };
    const { clock } = context;
    const parentPutAt = clock.monotonic();
    seen.putChild = await put(record, named);
    for (const pauseMs of LOOK_AGAIN_MS) {
      if (!refusesParent(seen.putChild, seen.child)) break;
      await clock.sleep(pauseMs, signal);
      seen.childAfterMs = clock.monotonic() - parentPutAt;
      seen.putChild = await put(record, named);
    }
    const operation = findOf(record.entity);
    if (!passes(seen.putChild) || operation === null || seen.putChild?.judgement.kind === 'refused') return;
    const found = await find(operation, record.platformId);
    const link = record.entity.parent;
    const body = link === null ? record.payload : { ...record.payload, [link.field]: { id: reference } };
    seen.foundChild = shownOf(record.entity, found, body);
    passes(found);
  };

  await run();
  const ended = end as ProbeEnd | null;
  return { seen: { ...seen, ended: ended?.because ?? null }, end: ended };
}

/** A platform that copies its records may not know a new parent for seconds (5 to 8 seen in public answers). */
const LOOK_AGAIN_MS = [1_000, 2_000, 3_000, 4_000];

interface ProbePut {
  readonly subject: ProbeSubject;
  /** The parent that it names; null: it has none. */
  readonly parent: { readonly reference: string | number; readonly payload: JsonObject } | null;
  readonly requestId: string;
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
  { subject, parent, requestId }: ProbePut,
  mayStart: () => boolean,
): Promise<Seen | null> {
  const { entity, key, platformId, hash, payload } = subject;
  const timeoutMs = timeoutOf(settings, entity.name);
  // The confirmation counts from the claim, so its first half is for waiting.
  const sendBefore = clock.monotonic() + timeoutMs;
  const claim = await lease.fenced((fence) =>
    state.queue.claimRecord({ fence, entity: entity.name, key, requestId, hash, payload }),
  );
  if (claim === null) return null;
  const { operation: put, body, sent } = requestOf(entity, { ...claim, parent });
  const seen = await lane.send(
    { operation: put, key, platformId, requestId, body },
    () => mayStart() && lease.held() && clock.monotonic() <= sendBefore,
  );
  const outcome: Outcome =
    seen === null ? handBack(claim) : { ...outcomeOf(claim, seen.judgement, settings.retry, random()), sent };
  await lease.fenced((fence) =>
    state.queue.record({ fence, outcomes: [outcome], tallies: [], timeoutMs: () => timeoutMs }),
  );
  return seen;
}

export const MOST_REQUESTS = 20;

export function createProbeLane(
  { platform, settings, clock, emit }: Pick<RunContext, 'platform' | 'settings' | 'clock' | 'emit'>,
  area: Area,
  rateLimit: RateLimit,
) {
  const { own } = settings.areas[area] ?? {};
  let sent = 0;
  return {
    /**
     * Sends one request within the rate of the area, and judges the reply as a run does; null: it was not sent, because
     * `mayStart` said no when its turn came, or because there were enough.
     */
    send(request: PlatformRequest, mayStart: () => boolean): Promise<Seen | null> {
      return exchange({ platform, clock, area, rateLimit, emit }, request, {
        mayLeave() {
          if (sent >= MOST_REQUESTS || !mayStart()) return false;
          sent += 1;
          return true;
        },
        judge(reply) {
          const method = operation(request.operation).kind;
          const about = { method, now: clock.now(), operation: request.operation, own };
          return { reply, judgement: judgeReply(reply, about) };
        },
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
  seen: Seen,
  body: JsonObject,
  today: string,
  timeZone: string,
): FoundRecord | null {
  const { readBack, noun, lastDay } = entity;
  if (readBack === null) return null;
  const { reply } = seen;
  const data = dataOf(seen);
  const nothing = { ...seen, noun: noun.one, shown: [], hidden: [], differing: [] };
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

/** What the Find shows of the record, by the adapter where it has said that; null: nothing. */
function dataOf({ reply }: Seen): JsonObject | null {
  if (reply.kind !== 'answered') return null;
  if (reply.result?.data) return reply.result.data;
  return isObject(reply.json) && isObject(reply.json.data) ? (reply.json.data as JsonObject) : null;
}

export function childOf({ noun, parent }: Entity): ProbeSeen['child'] {
  return { noun: noun.one, parentField: `${parent?.field ?? ''}.id` };
}
