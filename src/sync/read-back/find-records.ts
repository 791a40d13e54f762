import { platformDay } from '../../contract/time.js';
import { rateNews } from '../../domain/learned-rate.js';
import type { Area, EntityName } from '../../domain/names.js';
import { backoffDelay, judgeReply } from '../../domain/reply/judge-reply.js';
import type { JsonObject } from '../../domain/row.js';
import type { Entity } from '../../entities/entity.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { Place, RateLimit } from '../../ports/platform.js';
import type { ReadBackRecord, ReadBacks, ReadBackSet } from '../../state/ledger/read-backs.js';
import { type Found, judgeFind, understoodFind } from '../found.js';
import { withWork } from '../lease.js';
import { createAreaGate } from '../push/area-gate.js';
import { scheduleUnlessAborted } from '../push/request.js';
import { type RunContext, type RunSettings, timeoutOf } from '../run-context.js';
import { settleAll } from '../../runtime/time.js';

/**
 * What all reading back shares: a lane that sends the Finds of one area, with the pauses and stops of a push; the
 * records to read; and the doubt that remains when the state database went back in time, until everything was compared.
 */

/** Tries per record before it counts as unanswered. */
const MOST_TRIES = 3;

/** Shorter than for a push, because a Find changes nothing. */
const LONGEST_WAIT_MS = 5_000;

export type FindLane = ReturnType<typeof createFindLane>;

/** Finds of one area: within its rate, with the same pauses and stops as a push. */
export function createFindLane(
  context: Pick<RunContext, 'platform' | 'clock' | 'emit' | 'signal' | 'random' | 'newId' | 'settings'>,
  area: Area,
  rateLimit: RateLimit,
  concurrency: number,
) {
  const { clock, emit, signal, random, newId } = context;
  const { retry } = context.settings;
  const gate = createAreaGate(area, retry, clock, emit);
  const { own } = context.settings.areas[area] ?? {};
  const platform = context.platform(area);
  const ending = () => signal.aborted || gate.stop() !== null;

  /** Null: the area stopped before an answer. */
  const find = async (
    readBack: ReadBack,
    { key, platformId }: Pick<ReadBackRecord, 'key' | 'platformId'>,
  ): Promise<Found | null> => {
    for (let tries = 0; ;) {
      while (gate.pauseLeft() > 0 && !ending()) await clock.sleep(gate.pauseLeft(), signal);
      const attempt = async (place: Place) => {
        if (ending() || gate.pauseLeft() > 0) {
          place.release();
          return null;
        }
        const request = {
          operation: readBack.find,
          key,
          platformId,
          requestId: newId(),
          body: null,
          onWritten: place.written,
        };
        const reply = understoodFind(await platform.send(request), readBack);
        place.answered(rateNews(reply, clock.now()));
        const judgement = judgeReply(reply, {
          method: 'GET',
          now: clock.now(),
          operation: readBack.find,
          own,
        });
        gate.note(judgement, readBack.find);
        return { judgement, found: judgeFind(reply, judgement, request.requestId) };
      };
      const outcome = await scheduleUnlessAborted(rateLimit, attempt, false, signal);
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

/** A sample, and before it every record that is not known to be live. */
export async function* sampledRecords(
  readBacks: Pick<ReadBacks, 'sample' | 'page'>,
  entity: EntityName,
  count: number,
): AsyncGenerator<ReadBackRecord> {
  // First, because those that turn out to be live would be among the others.
  const sample = await readBacks.sample(entity, count);
  yield* allRecords(readBacks, entity, 'not-live');
  yield* sample;
}

/** The settled ones of these. */
export async function* namedRecords(
  readBacks: Pick<ReadBacks, 'named'>,
  entity: EntityName,
  keys: readonly string[],
): AsyncGenerator<ReadBackRecord> {
  yield* await readBacks.named(entity, keys);
}

/** Looks that a process which dies may lose. */
const KEPT_LOOKS = 100;

/** Keeps when records were read back, some hundred at a time. */
export function createLookKeeper(readBacks: Pick<ReadBacks, 'noteLooked'>, entity: EntityName) {
  let looked: (Pick<ReadBackRecord, 'key' | 'acknowledgedAt'> & { readonly at: number })[] = [];
  const flush = async (): Promise<void> => {
    const kept = looked;
    looked = [];
    const now = performance.now();
    if (kept.length > 0)
      await readBacks.noteLooked(
        entity,
        kept.map(({ key, acknowledgedAt, at }) => ({ key, acknowledgedAt, agoMs: now - at })),
      );
  };
  return {
    async note({ key, acknowledgedAt }: ReadBackRecord): Promise<void> {
      if (looked.push({ key, acknowledgedAt, at: performance.now() }) >= KEPT_LOOKS) await flush();
    },
    flush,
  };
}

/** The body as it is compared: of the parent only the `id` under which it is sent. */
export function sentBody({ parent }: Pick<Entity, 'parent'>, record: ReadBackRecord): JsonObject {
  const { payload, parentReference } = record;
  return parent === null || parentReference === null
    ? payload
    : { ...payload, [parent.field]: { id: parentReference } };
}

export function comparing({ clock, settings }: Pick<RunContext, 'clock' | 'settings'>) {
  const { timeZone } = settings.platform;
  return { today: platformDay(clock.now(), timeZone), timeZone };
}

/** The doubt of one entity while all its records are compared or sent again. */
export type DoubtSettlement = NonNullable<Awaited<ReturnType<typeof beginSettlement>>>;

/**
 * Begins to settle the doubt after the state database went back in time; null: no doubt. Clears the acknowledgement of
 * what cannot be read back, before and after, because a record may become invalid while others are compared.
 */
export async function beginSettlement(
  { state, emit, settings }: Pick<RunContext, 'state' | 'emit' | 'settings'>,
  entity: EntityName,
) {
  const { inDoubtSince, readAt } = await state.entityStates.read(entity);
  if (inDoubtSince === null) return null;
  const timeoutMs = timeoutOf(settings, entity);
  await state.entityStates.distrust(entity, timeoutMs);
  const graceMs = doubtGraceMs(settings, entity);
  return {
    /** Everything was compared; what differs is to be sent again. */
    async finish(): Promise<void> {
      await state.entityStates.distrust(entity, timeoutMs);
      if (await state.entityStates.endDoubt(entity, readAt, graceMs)) return;
      emit({
        type: 'warning',
        code: 'state-went-back',
        message: `${entity}: this check began too soon after the state database went back in time. An earlier request may have arrived later.`,
        hint: `Repeat the command. It counts if it begins ${Math.ceil(graceMs / 1_000)} s or more after ${inDoubtSince.toISOString()}.`,
      });
    },
  };
}

/**
 * Waits until a new request settles the doubt of these entities: an earlier request may still arrive after it, and then
 * all would be sent once more. Does nothing without doubt.
 */
export async function outlastDoubt({
  state,
  settings,
  entities,
  clock,
  emit,
  signal,
}: RunContext): Promise<void> {
  let waitMs = 0;
  for (const { name } of entities) {
    const { inDoubtSince, readAt } = await state.entityStates.read(name);
    if (inDoubtSince === null) continue;
    const since = new Date(readAt).getTime() - inDoubtSince.getTime();
    waitMs = Math.max(waitMs, doubtGraceMs(settings, name) - since);
  }
  if (waitMs > 0)
    await withWork(emit, 'Waiting for requests from before the restore', () => clock.sleep(waitMs, signal));
}

/**
 * How long after a doubt was stored an earlier request may still arrive, milliseconds: the time its process may go on,
 * plus the way of its last request.
 */
function doubtGraceMs(settings: RunSettings, entity: EntityName): number {
  return settings.state.leaseTtlMs + 2 * timeoutOf(settings, entity);
}
