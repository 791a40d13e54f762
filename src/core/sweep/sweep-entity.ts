import { SyncError } from '../domain/errors.js';
import { type GuardFindings, type Hold, judgeGuards, movingField } from '../domain/guard.js';
import { nextReading } from '../domain/source-sight.js';
import { createGroupTally, type IssueGroup } from '../domain/issue-group.js';
import type { EntityName } from '../domain/names.js';
import type { Fence } from '../ports/clock.js';
import type { Displaced, StagedFinding, Staging } from '../ledger/staging.js';
import type { EntityState } from '../domain/entity-state.js';
import { entity as entityNamed } from '../entities/index.js';
import { againAfterConflict, type SourceReader } from '../ports/source.js';
import type { HeldLease } from '../leases.js';
import type { ConfiguredEntity, RunContext } from '../context.js';
import {
  type ChangeTally,
  checkBalance,
  guardFindings,
  idsMayDiffer,
  isFull,
  type SweepReason,
  sweepCounters,
  sweepReason,
  warningsOf,
} from './change-tally.js';
import { lookAtSource } from './look-at-source.js';
import { type ChangeSink, readChanges } from './read-changes.js';

export interface SweepContext extends Pick<
  RunContext,
  'source' | 'state' | 'clock' | 'emit' | 'signal' | 'settings'
> {
  /** Of the sweep. */
  readonly lease: Pick<HeldLease, 'fenced'>;
}

interface SweepResult {
  readonly tally: ChangeTally;
  /** Why nothing was published; null: published. */
  readonly hold: Hold | null;
  /** Values of the rows that were read which are sent but are probably wrong. */
  readonly doubtful: readonly IssueGroup[];
}

/** Of which records a hold shows keys. */
const SHOWN_KINDS = {
  'other-source': 'vanished',
  'empty-source': 'vanished',
  'max-vanished-count': 'vanished',
  'max-vanished-percent': 'vanished',
  'max-invalid-percent': 'invalid',
  'max-changed-percent': 'changed',
} as const satisfies Record<Hold['guard'], StagedFinding['kind']>;

const SAMPLE_KEYS = 10;

const NO_RENAMINGS = { renamings: [], removed: 0 };

/**
 * One sweep of one entity: read versions → diff keys → read rows → map → stage → judge guards → publish. Nothing may be
 * staged when it begins; where nothing is found, nothing is staged, and the steps on what is staged are left out.
 * Errors: SyncError of scope `entity` ends this entity, any other the run; in both cases the sweep publishes nothing;
 * if publishing had begun, the next sweep continues it.
 */
export async function sweepEntity(context: SweepContext, configured: ConfiguredEntity): Promise<SweepResult> {
  const { state, settings, clock, emit, signal, lease } = context;
  const { name: entity, fingerprint } = configured;
  const before = await state.entityStates.read(entity);
  const reason = sweepReason(before, fingerprint, settings.sweep.fullEveryMs);
  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  const full = isFull(reason);
  emit({ type: 'sweep-started', entity, full, why: reason });

  const { tally, staged, seen, doubts } = await stageChanges(context, configured, before, reason);
  const took = clock.monotonic() - began;
  const reading = nextReading(before.source?.reading, full ? 'full' : 'quick', took);
  refuseInterrupted(signal, entity);
  const { renamings, removed } =
    staged === 0
      ? NO_RENAMINGS
      : await lease.fenced((fence) => state.staging.resolveRenamings(fence, entity, idsMayDiffer(reason)));
  const settled = withRenamings(tally, renamings);
  checkBalance(entity, settled);

  const findings = { ...guardFindings(settled, configured), otherSource: seen.other };
  const hold = await judge(context, configured, findings, before, startedAt);
  if (hold) {
    await lease.fenced((fence) => state.entityStates.hold(fence, entity, hold));
    emit({
      type: 'entity-held',
      entity,
      message: `${hold.message}${shownKeys(hold)}`,
      hint: `Nothing of this sweep was applied. Fix the source, or approve the changes: placement-sync approve ${entity}`,
    });
  } else {
    warnOfMoving(context, entity, findings, before);
    const { foreign } = settled;
    await publish(context, configured, {
      renamings,
      expected: staged - removed,
      stamp: {
        fingerprint,
        full,
        startedAt: before.readAt,
        foreign,
        source: { ...seen.kept, reading },
      },
    });
  }
  if (staged > 0) await lease.fenced((fence) => state.staging.clear(fence, staged));
  const { staleRowVersions: count, staleSample: sampleKeys } = settled;
  if (count > 0) emit({ type: 'stale-row-versions', entity, count, sampleKeys });
  for (const warning of warningsOf(doubts)) emit({ type: 'mapping-warnings', entity, ...warning });
  const counters = sweepCounters(entity, settled);
  const lag = seen.lagMs === undefined ? {} : { sourceLagMs: seen.lagMs };
  emit({ type: 'sweep-finished', entity, counters, elapsedMs: clock.monotonic() - began, ...lag });
  return { tally: settled, hold, doubtful: doubts.groups() };
}

/** What one reading of the source found, and how much of it is staged. */
interface Reading {
  readonly tally: ChangeTally;
  readonly staged: number;
  readonly seen: Awaited<ReturnType<typeof lookAtSource>>;
  readonly doubts: ReturnType<typeof createGroupTally>;
}

/** Reads versions and rows, maps them, and stages what changed. A reading that conflicts with a writer begins again. */
async function stageChanges(
  context: SweepContext,
  configured: ConfiguredEntity,
  before: EntityState,
  reason: SweepReason,
): Promise<Reading> {
  const { source, state, settings, signal, lease } = context;
  const { name: entity } = configured;
  let doubts = createGroupTally(entity);
  const staging = createStageSink(state.staging, lease, entity);
  const sink: StageSink = {
    ...staging,
    take(changes) {
      refuseInterrupted(signal, entity);
      return staging.take(changes);
    },
    warn: (name, warnings) => void doubts.add('doubtful', name, warnings),
    restart() {
      doubts = createGroupTally(entity);
      return staging.restart();
    },
  };
  const examine = async (reader: SourceReader) => {
    const seen = await lookAtSource(reader, settings, configured, before);
    const tally = await readChanges({ ...context, entity: configured, reader, sink, reason });
    const staged = await sink.finish();
    if (staged > 0) {
      await lease.fenced((fence) =>
        refuseDuplicates(state.staging, fence, configured, reader, idsMayDiffer(reason)),
      );
    }
    return { tally, staged, seen };
  };
  const read = () => source.read(configured.query, examine, signal);
  const found = await againAfterConflict(read, sink.restart).catch((error: unknown) => {
    // A failure while stopping is not a failure of the query.
    refuseInterrupted(signal, entity);
    throw error;
  });
  return { ...found, doubts };
}

/** A record under another key has neither vanished nor come. */
function withRenamings(tally: ChangeTally, renamings: Publication['renamings']): ChangeTally {
  const vanished = renamings.filter(({ vanishedNow }) => vanishedNow).length;
  const renamedNew = renamings.filter(({ wasNew }) => wasNew).length;
  return {
    ...tally,
    vanished: tally.vanished - vanished,
    new: tally.new - renamedNew,
    changed: tally.changed + renamedNew,
  };
}

function warnOfMoving(
  { settings, emit }: SweepContext,
  entity: EntityName,
  findings: GuardFindings,
  { approval }: EntityState,
): void {
  const moving = movingField(findings, settings.guards);
  const unmoved = judgeGuards({ ...findings, changedFields: [] }, settings.guards, approval);
  if (moving && unmoved?.guard === 'max-changed-percent')
    emit({
      type: 'warning',
      message: `${moving.field} is all that changed in ${moving.alone} of ${findings.known} ${entity}. All of them are sent again.`,
      hint: 'If the column moves by the calendar, see docs/queries.md, “A day that moves”.',
    });
}

type Publication = Parameters<Staging['publish']>[2];

async function publish(
  { state, lease, signal, emit }: SweepContext,
  { name: entity, application, requireInbox }: ConfiguredEntity,
  found: Pick<Publication, 'renamings' | 'expected' | 'stamp'>,
): Promise<void> {
  const work = `Applying changes of ${entity}`;
  emit({ type: 'work-started', work, total: found.expected });
  const sweep = {
    ...found,
    signal,
    needsInbox: application && requireInbox,
    onPublished: (done: number) => emit({ type: 'work-advanced', work, done }),
  };
  await lease
    .fenced((fence) => state.staging.publish(fence, entity, sweep))
    .finally(() => emit({ type: 'work-ended', work }));
}

/** Another source may hold a sweep in which nothing else differs. */
function shownKeys({ guard, sampleKeys }: Hold): string {
  return guard === 'other-source' && sampleKeys.length === 0
    ? ''
    : ` Keys: ${sampleKeys.join(', ') || 'none'}.`;
}

function refuseInterrupted(signal: AbortSignal, entity: string): void {
  if (!signal.aborted) return;
  throw new SyncError(
    'interrupted',
    `The run was stopped while ${entity} were read. Nothing of ${entity} was applied; earlier entities are.`,
    { scope: 'run' },
  );
}

async function judge(
  { state, settings, lease }: SweepContext,
  { name: entity, parent }: Pick<ConfiguredEntity, 'name' | 'parent'>,
  findings: GuardFindings,
  before: EntityState,
  startedAt: string,
): Promise<Hold | null> {
  const verdict = judgeGuards(findings, settings.guards, before.approval);
  if (!verdict) return null;
  const kind = SHOWN_KINDS[verdict.guard];
  const above = parent && { entity: parent.entity, label: entityNamed(parent.entity).label };
  const whose = above && (await lease.fenced((fence) => state.staging.parents(fence, entity, kind, above)));
  return {
    ...verdict,
    sampleKeys: await lease.fenced((fence) => state.staging.sampleKeys(fence, entity, kind, SAMPLE_KEYS)),
    ...(whose ? { whose } : {}),
    since: before.hold?.since ?? startedAt,
  };
}

/** A sink whose last page may still be on its way. */
interface StageSink extends ChangeSink {
  /** Everything taken is staged; gives how many findings. Rejects with what staging rejected with. */
  finish(): Promise<number>;
}

/** Stages findings while the next page is read and mapped; never more than one page ahead. */
export function createStageSink(
  staging: Staging,
  { fenced }: Pick<HeldLease, 'fenced'>,
  entity: EntityName,
): StageSink {
  let underWay: Promise<void> = Promise.resolve();
  let taken = 0;
  return {
    async take(changes) {
      if (changes.length === 0) return;
      await underWay;
      taken += changes.length;
      const findings = changes.map(({ finding }) => finding);
      underWay = fenced((fence) => staging.stage(fence, entity, findings));
      // The next await handles a rejection; no handler is attached until then.
      underWay.catch(() => undefined);
    },
    async restart() {
      await underWay;
      if (taken > 0) await fenced((fence) => staging.clear(fence));
      taken = 0;
    },
    async finish() {
      await underWay;
      await staging.complete(taken);
      return taken;
    },
  };
}

/**
 * Two keys with one platform id are one record returned twice, unless one key is the former spelling, which the source
 * no longer has. Under `onVanished: ignore` no finding shows that, so the source is asked for its keys; that costs a
 * pass, and happens only when the spelling of keys changed. Everything of the sweep must be staged. Errors: SyncError
 * `duplicate-key` of scope `entity`, with both keys.
 */
async function refuseDuplicates(
  staging: Pick<Staging, 'doubled' | 'displaced'>,
  fence: Fence,
  entity: ConfiguredEntity,
  reader: Pick<SourceReader, 'versions'>,
  idsMayDiffer: boolean,
): Promise<void> {
  const [doubled] = await staging.doubled(fence, entity.name, idsMayDiffer);
  if (doubled) throw duplicate(entity, doubled);
  const displaced = await staging.displaced(fence, entity.name, idsMayDiffer);
  const [first] = displaced;
  if (!first) return;
  if (entity.onVanished !== 'ignore') throw duplicate(entity, first);
  const byOldKey = new Map(displaced.map((pair) => [pair.from, pair]));
  for await (const page of reader.versions(null)) {
    for (const { key } of page) {
      const pair = byOldKey.get(key);
      if (pair) throw duplicate(entity, pair);
    }
  }
}

function duplicate(
  { query: { entity, file } }: ConfiguredEntity,
  { from, to, platformId }: Displaced,
): SyncError {
  return new SyncError(
    'duplicate-key',
    `${file}: the keys "${from}" and "${to}" of ${entity} have the same platform id ${platformId}.`,
    { scope: 'entity', hint: 'UUIDs that differ only in case are one key: return each record once.' },
  );
}
