import type { AreaStop } from '../../domain/area-condition.js';
import type { EntityName } from '../../domain/names.js';
import type { PushCounters } from '../../domain/outcome.js';
import { type RefusalTally, refusedTooOften, tallyReply } from '../../domain/push-counters.js';
import type { Judgement } from '../../domain/reply/reply.js';
import type { Tally } from '../../ports/queue.js';
import type { Refusal } from '../../ports/record-lists.js';
import type { EntityState } from '../../ports/runs.js';
import type { AreaGate, AreaPush } from './area-gate.js';

interface JudgedRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** Of `recordName`; it is stored with a hold. */
  readonly name: string;
}

type Verdict = Extract<Judgement, { kind: 'accepted' | 'refused' }>;

/** What was refused of an entity in this push. */
interface Refusals {
  /** Status and words of the first one. */
  readonly first: Refusal;
  /** All were refused like the first one. */
  readonly same: boolean;
  /** As many were refused so, in this push. */
  readonly count: number;
  /** Keys of those that a 2xx refused. */
  readonly failures: readonly string[];
}

export type RefusalWatch = Awaited<ReturnType<typeof createRefusalWatch>>;

const SAMPLE_KEYS = 10;

/** How long the entity states read last stay valid, milliseconds. */
const REFRESH_MS = 5_000;

/**
 * Without a single acceptance of an entity under its mapping, `maxSameRefusals` refusals with the same status and words
 * stop the area, and `maxRejectedInARow` refusals hold the entity's push. `stoppedBefore`: for what the push before
 * stopped; the same words stop this one at once.
 */
export async function createRefusalWatch(
  push: Pick<AreaPush, 'state' | 'settings' | 'lease' | 'entities' | 'clock' | 'emit'>,
  gate: Pick<AreaGate, 'halt'>,
  stoppedBefore: string | null,
) {
  const { state, settings, lease, entities, clock, emit } = push;
  const states = state.entityStates;
  const tallies = new Map<EntityName, RefusalTally>();
  const fingerprints = new Map<EntityName, string | null>();
  const changed = new Set<EntityName>();
  const held = new Set<EntityName>();
  /** Those with a stored hold, which can be lifted. */
  const storedHolds = new Set<EntityName>();
  const samples = new Map<EntityName, string[]>();
  const refusals = new Map<EntityName, Refusals>();
  let readAt = clock.monotonic();
  const startWith = (
    entity: EntityName,
    { fingerprint, refusedInARow, acceptedOnce, pushHold }: EntityState,
  ) => {
    fingerprints.set(entity, fingerprint);
    tallies.set(entity, { refusedInARow, acceptedOnce });
    samples.set(entity, []);
    refusals.delete(entity);
    changed.delete(entity);
    if (!pushHold) {
      held.delete(entity);
      storedHolds.delete(entity);
    } else if (!held.has(entity)) {
      held.add(entity);
      storedHolds.add(entity);
      emit({ type: 'entity-held', entity, message: pushHold.message, hint: pushHoldHint(entity) });
    }
  };
  for (const { name } of entities) startWith(name, await states.read(name));

  /** What the platform says about an application is personal, and the state of an area is shown to everybody. */
  const stopFor = (entity: EntityName, { statusCode, message }: Refusal): AreaStop => {
    const hasWords = entities.find(({ name }) => name === entity)?.repeatable !== false;
    return sameRefusal(entity, `HTTP ${statusCode}${hasWords ? `: ${message}` : ''}`);
  };
  /** Those that were refused so, in this push or before; gives how many. */
  const retry = (entity: EntityName, refusal: Refusal, preview: boolean) =>
    state.resendRequests.retry(entity, { preview, status: 'rejected', sinceMs: null, refusal });
  /** Counts at once, so that nothing more is sent meanwhile. */
  const countRefusal = (
    { entity, key }: JudgedRecord,
    { statusCode, message, failure }: Extract<Verdict, { kind: 'refused' }>,
  ): Refusals => {
    const first = { statusCode, message };
    const known = refusals.get(entity) ?? { first, same: true, count: 0, failures: [] };
    const isSame = known.first.statusCode === statusCode && known.first.message === message;
    const counted: Refusals = {
      first: known.first,
      same: known.same && isSame,
      count: known.count + (isSame ? 1 : 0),
      failures: failure ? [...known.failures, key] : known.failures,
    };
    refusals.set(entity, counted);
    return counted;
  };
  const isCommon = (entity: EntityName, { first, same, count }: Refusals): boolean =>
    same && (count >= settings.guards.maxSameRefusals || stopFor(entity, first).message === stoppedBefore);

  return {
    isHeld: (entity: EntityName) => held.has(entity),

    /** Counts a verdict. */
    async note(record: JudgedRecord, judgement: Verdict) {
      const { entity, name } = record;
      const { kind } = judgement;
      const refused = kind === 'refused' ? countRefusal(record, judgement) : null;
      // Replies to requests from before the hold change nothing.
      if (held.has(entity)) return;
      const before = tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false };
      const after = tallyReply(before, kind);
      if (after === before) return;
      changed.add(entity);
      const isHold = refusedTooOften(after, settings.guards.maxRejectedInARow);
      if (!isHold && refused && isCommon(entity, refused)) {
        // None of them stays rejected, so none counts.
        tallies.set(entity, { ...after, refusedInARow: 0 });
        gate.halt(stopFor(entity, refused.first));
        return;
      }
      tallies.set(entity, after);
      const sample = samples.get(entity) ?? [];
      if (kind === 'refused' && sample.length < SAMPLE_KEYS) sample.push(name);
      if (!isHold) return;
      held.add(entity);
      const message = `The platform refused ${after.refusedInARow} records of ${entity} in a row and accepted none under this mapping.`;
      emit({ type: 'entity-held', entity, message, hint: pushHoldHint(entity) });
      const hold = {
        guard: 'max-rejected-in-a-row',
        message,
        refused: after.refusedInARow,
        sampleKeys: sample,
        since: new Date(clock.now()).toISOString(),
      } as const;
      await lease.fenced((fence) => states.holdPush(fence, entity, hold));
      storedHolds.add(entity);
    },

    /** At the end of a push: the stop that earlier pushes, with fewer records each, have a part in; null: none. */
    async endOfPush(): Promise<AreaStop | null> {
      for (const [entity, { first, same }] of refusals) {
        const tally = tallies.get(entity);
        const few = (tally?.refusedInARow ?? 0) < settings.guards.maxSameRefusals;
        if (!same || !tally || tally.acceptedOnce || few || held.has(entity)) continue;
        const refused = await retry(entity, first, true);
        if (refused >= settings.guards.maxSameRefusals) return stopFor(entity, first);
      }
      return null;
    },

    /**
     * At the end of a push that stopped for this: refusals that were not about their records are taken back, in the ledger
     * and in `counters`.
     */
    async takeBack({ code, message }: AreaStop, counters: ReadonlyMap<EntityName, PushCounters>) {
      for (const [entity, { first, count, failures }] of refusals) {
        const isSame = code === 'same-refusal' && message === stopFor(entity, first).message;
        const taken = isSame ? count : code === 'reply-not-understood' ? failures.length : 0;
        if (taken === 0) continue;
        if (isSame) await retry(entity, first, false);
        else await state.queue.forgiveAttempts(entity, failures);
        const counted = counters.get(entity);
        if (!counted) continue;
        counted.sent -= taken;
        counted.rejected -= taken;
      }
    },

    /**
     * Reads what others may have changed since: a sweep under another mapping restarts the count; `approve` or such a
     * sweep lifts a hold. Asks at most every five seconds.
     */
    async refresh() {
      if (clock.monotonic() - readAt < REFRESH_MS) return;
      readAt = clock.monotonic();
      for (const { name } of entities) {
        // The stored count may be older than ours, unless it was restarted.
        const holding = storedHolds.has(name);
        const stored = await states.read(name);
        const lifted = holding && stored.pushHold === null;
        if (lifted || stored.fingerprint !== fingerprints.get(name)) startWith(name, stored);
      }
    },

    /** Tallies that changed since they were last taken. */
    takeChanged(): readonly Tally[] {
      const taken = [...changed].map((entity) => ({
        entity,
        fingerprint: fingerprints.get(entity) ?? null,
        ...(tallies.get(entity) ?? { refusedInARow: 0, acceptedOnce: false }),
      }));
      changed.clear();
      return taken;
    },
  };
}

function sameRefusal(entity: EntityName, reply: string): AreaStop {
  return {
    code: 'same-refusal',
    message: `The platform refused the first records of ${entity}, all with ${reply}`,
    hint: 'It is hardly about single records, so none is rejected. Read what it asks for: a field that the query or a lookup leaves out, or another form of the request, which a setting of platform changes (placement-sync probe finds it). If single records are at fault after all, raise guards.maxSameRefusals.',
  };
}

function pushHoldHint(entity: EntityName): string {
  return `Nothing more of this entity is sent. See why: placement-sync explain ${entity} KEY. Fix the query or the lookups, or continue: placement-sync approve ${entity}`;
}
