import type { AreaStop } from '../../core/domain/area-condition.js';
import type { ReadBackOutcome } from '../../core/domain/events.js';
import { platformDay } from '../../core/contract/time.js';
import { batched } from '../../core/domain/group-by.js';
import { type Area, AREAS, type EntityName } from '../../core/domain/names.js';
import { backoffDelay, judgeReply } from '../../core/domain/reply/judge-reply.js';
import type { JsonObject } from '../../core/domain/row.js';
import { compareReadBack, type Comparison } from './compare-read-back.js';
import type { Entity } from '../../core/entities/entity.js';
import type { ReadBack } from '../../core/entities/read-back.js';
import type { RateLimit } from '../../core/ports/platform.js';
import type { ReadBackRecord, ReadBacks, ReadBackSet, ReadBackContext } from './read-backs.js';
import { settleAll } from '../../core/runtime/time.js';
import { type Found, judgeFind, understoodFind } from '../../core/push/found.js';
import { AreaGate } from '../../core/push/gate.js';
import { exchange } from '../../core/push/exchange.js';
import type { ConfiguredEntity } from '../../core/context.js';
import { countCached, type VerifyNote } from './verify-report.js';

/**
 * The one reader of `verify` and `adopt`: it asks for the records of every area at the shared rate, with the pauses and
 * stops of a push, and compares each with what is desired. What follows from an answer is the caller's to say.
 */

/** An entity whose records can be read back. */
export type Readable = ConfiguredEntity & { readonly readBack: ReadBack };

export function readableOf(
  entities: readonly ConfiguredEntity[],
  isReadable: (entity: EntityName) => boolean,
): readonly Readable[] {
  return entities.filter((entity): entity is Readable => entity.readBack !== null && isReadable(entity.name));
}

interface Areas {
  readonly rateLimit: (area: Area) => Promise<RateLimit> | RateLimit;
  /** Records of an entity that are to be read. */
  readonly due: (entity: EntityName) => Promise<number>;
  /** Reads one entity; parents come first. */
  readonly read: (entity: Readable, lane: FindLane) => Promise<void>;
}

/** An area that stopped before all of its records were read. */
export type AreaEnd = AreaStop & { readonly area: Area };

/** Reads all areas at once, entity by entity. Gives those that stopped. */
export async function readAreas(
  context: ReadBackContext,
  entities: readonly Readable[],
  { rateLimit, due, read }: Areas,
): Promise<readonly AreaEnd[]> {
  const { settings, emit, signal } = context;
  const readArea = async (area: Area): Promise<AreaEnd | null> => {
    const ofArea = entities.filter((entity) => entity.area === area);
    const concurrency = settings.areas[area]?.concurrency;
    if (concurrency === undefined || ofArea.length === 0 || signal.aborted) return null;
    const counts = await Promise.all(ofArea.map(({ name }) => due(name)));
    emit({ type: 'read-back-started', area, due: counts.reduce((sum, count) => sum + count, 0) });
    const lane = createFindLane(context, area, await rateLimit(area), concurrency);
    for (const entity of ofArea) await read(entity, lane);
    emit({ type: 'read-back-finished', area });
    const stop = lane.end();
    return stop && { ...stop, area };
  };
  return (await settleAll(AREAS.map(readArea))).filter((stop) => stop !== null);
}

/** What a Find shows of a record, and how that compares with the body as it is sent. */
export type Look =
  | Extract<Found, { kind: 'missing' }>
  | (Extract<Found, { kind: 'found' }> & { readonly body: JsonObject; readonly comparison: Comparison });

export type Report = (
  record: Pick<ReadBackRecord, 'key'>,
  outcome: ReadBackOutcome,
  fields?: readonly string[],
  message?: string | null,
) => void;

/**
 * Asks for each of the records and compares it. `judge` says what follows, and false when no more is to be read. Gives how
 * many had no usable answer, and how many of these a cache gave.
 */
export async function lookAtRecords(
  { clock, settings, emit }: ReadBackContext,
  entity: Readable,
  lane: FindLane,
  records: AsyncIterable<ReadBackRecord>,
  judge: (record: ReadBackRecord, look: Look, report: Report) => Promise<boolean>,
): Promise<{
  readonly unanswered: number;
  readonly cached: number;
  readonly notes: readonly VerifyNote[];
}> {
  const { name, area, readBack, lastDay } = entity;
  const { timeZone } = settings.platform;
  const options = { today: platformDay(clock.now(), timeZone), timeZone, lastDay };
  const report: Report = ({ key }, outcome, fields = [], message = null) =>
    emit({ type: 'record-read-back', area, entity: name, key, outcome, fields, message });
  const cached = countCached(name);
  let unanswered = 0;
  await lane.read(readBack, records, async (record, found) => {
    if (found.kind === 'unanswered') {
      unanswered += 1;
      cached.add(found);
      report(record, 'unanswered', [], found.message);
      return true;
    }
    if (found.kind === 'missing') return judge(record, found, report);
    const body = sentBody(entity, record);
    const comparison = compareReadBack(readBack, body, found.data, options);
    return judge(record, { ...found, body, comparison }, report);
  });
  return { unanswered, cached: cached.records(), notes: cached.notes() };
}

/** The body as it is compared: of the parent only the `id` under which it is sent. */
function sentBody({ parent }: Pick<Entity, 'parent'>, record: ReadBackRecord): JsonObject {
  const { payload, parentReference } = record;
  return parent === null || parentReference === null
    ? payload
    : { ...payload, [parent.field]: { id: parentReference } };
}

export type FindLane = ReturnType<typeof createFindLane>;

/** Tries per record before it counts as unanswered. */
const MOST_TRIES = 3;

/** Shorter than for a push, because a Find changes nothing. */
const LONGEST_WAIT_MS = 5_000;

/** Finds of one area: within its rate, with the same pauses and stops as a push. */
function createFindLane(context: ReadBackContext, area: Area, rateLimit: RateLimit, concurrency: number) {
  const { clock, emit, signal, random, newId } = context;
  const { retry } = context.settings;
  const gate = new AreaGate(area, retry, clock, emit);
  const { own } = context.settings.areas[area] ?? {};
  const lane = { platform: context.platform, clock, area, rateLimit, signal };
  const ending = () => signal.aborted || gate.stop() !== null;

  /** Null: the area stopped before an answer. */
  const find = async (
    readBack: ReadBack,
    { key, platformId }: Pick<ReadBackRecord, 'key' | 'platformId'>,
  ): Promise<Found | null> => {
    for (let tries = 0; ;) {
      while (gate.pauseLeft() > 0 && !ending()) await clock.sleep(gate.pauseLeft(), signal);
      const requestId = newId();
      const operation = readBack.find;
      const outcome = await exchange(
        lane,
        { operation, key, platformId, requestId, body: null },
        {
          mayLeave: () => !ending() && gate.pauseLeft() === 0,
          understand: (reply) => understoodFind(reply, readBack),
          judge(reply) {
            const judgement = judgeReply(reply, { method: 'GET', now: clock.now(), operation, own });
            gate.note(judgement, operation);
            return { judgement, found: judgeFind(reply, judgement, requestId) };
          },
        },
      );
      if (outcome?.found) return outcome.found;
      if (ending()) return null;
      if (outcome?.judgement.kind !== 'deferred') continue;
      tries += 1;
      if (tries === MOST_TRIES) return { kind: 'unanswered', message: outcome.judgement.message };
      const delayMs = backoffDelay(tries, retry.baseDelayMs, retry.maxDelayMs, random());
      await clock.sleep(Math.min(delayMs, LONGEST_WAIT_MS), signal);
    }
  };

  return {
    /**
     * Reads every record, some at a time, and hands on each result. Ends early when the area stops, the signal aborts,
     * or `handle` gives false. Rejects with the error of `records` or `handle`, once nothing is under way.
     */
    async read(
      readBack: ReadBack,
      records: AsyncIterable<ReadBackRecord>,
      handle: (record: ReadBackRecord, found: Found) => Promise<boolean>,
    ) {
      const iterator = records[Symbol.asyncIterator]();
      let over = false;
      const work = async () => {
        while (!over && !ending()) {
          const next = await iterator.next();
          if (next.done) return;
          const found = await find(readBack, next.value);
          if (found && !(await handle(next.value, found))) over = true;
        }
      };
      const workers = Array.from({ length: concurrency }, () =>
        work().catch((error: unknown) => {
          over = true;
          throw error;
        }),
      );
      await settleAll(workers).finally(() => iterator.return?.());
    },
    /** Why the area stopped; null: it did not. */
    stop: () => gate.stop(),
    /** The same when nothing more is read: also that no reply to a Find was understood. */
    end() {
      gate.endReading();
      return gate.stop();
    },
  };
}

/** Records in memory at a time. */
const PAGE_SIZE = 500;

/** Every record of a set, page by page in constant memory; what leaves or joins the set meanwhile may be left out. */
export async function* allRecords(
  readBacks: Pick<ReadBacks, 'page'>,
  entity: EntityName,
  set: ReadBackSet,
): AsyncGenerator<ReadBackRecord> {
  for (let after: string | null = null; ;) {
    const page: readonly ReadBackRecord[] = await readBacks.page(entity, set, after, PAGE_SIZE);
    yield* page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)?.key ?? null;
  }
}

/** The settled records with these keys; else all, or a sample, and before it every record that is not known to be live. */
export async function* settledRecords(
  readBacks: Pick<ReadBacks, 'named' | 'sample' | 'page'>,
  entity: EntityName,
  { keys, sample }: { readonly keys: readonly string[] | null; readonly sample: number | null },
): AsyncGenerator<ReadBackRecord> {
  if (keys !== null) for (const page of batched(keys, PAGE_SIZE)) yield* await readBacks.named(entity, page);
  else if (sample === null) yield* allRecords(readBacks, entity, 'settled');
  else {
    // First, because those that turn out to be live would be among the others.
    const picked = await readBacks.sample(entity, sample);
    yield* allRecords(readBacks, entity, 'not-live');
    yield* picked;
  }
}
