import { platformDay } from '../../contract/time.js';
import { SyncError } from '../../domain/errors.js';
import { approvalConsequences, type Consequence, type Hold, judgeGuards } from '../../domain/guard.js';
import { uuidText } from '../../domain/key.js';
import type { EntityReport } from '../../domain/outcome.js';
import type { OtherSource } from '../../domain/source-sight.js';
import { emptyReport } from '../../entities/index.js';
import { scalarText } from '../../entities/values.js';
import type { Forecasts, StandingInvalid } from '../../state/ledger/forecasts.js';
import type { EntityState } from '../../domain/entity-state.js';
import type { SourceReader } from '../../ports/source.js';
import type { ConfiguredEntity, RunContext } from '../run-context.js';
import {
  type ChangeTally,
  guardFindings,
  isFull,
  sweepCounters,
  sweepReason,
  type SweepReason,
} from '../sweep/change-tally.js';
import { lookAtSource } from '../sweep/look-at-source.js';
import { type Change, type ChangeSink, readChanges } from '../sweep/read-changes.js';
import { describeChange, describeInvalid, type NamedParent, type PlannedChange } from './describe-change.js';
import { createForecaster, type EntityForecast, type Forecaster } from './forecast-entity.js';
import type { PlanState } from './plan-state.js';
import { type SampledRecord, sampleRecords } from './sample-records.js';
import type { KnownPayloads } from '../../state/ledger/ledger.js';
import type { StatusCounts } from '../../state/ledger/records.js';

/**
 * What a run would do with one entity, without writing anything.
 *
 * The entity is read as a sweep reads it (sweep/read-changes.ts), but into two other sinks: the collector lists the
 * first changes, and the forecaster predicts what is sent of all of them. Then the guards judge the counts, as they
 * would in the run, and report, actions and hold follow from what they say.
 */

export interface PlanContext extends Pick<
  RunContext,
  'source' | 'emit' | 'clock' | 'signal' | 'settings' | 'entities'
> {
  readonly state: PlanState;
}

export interface PlannedHold {
  readonly reason: string;
  /** What an approval would cause. */
  readonly consequences: readonly Consequence[];
}

export interface PlannedEntity {
  readonly report: EntityReport;
  readonly changes: readonly PlannedChange[];
  /** Records that are invalid as before. */
  readonly standing: readonly PlannedChange[];
  /** Changes, listed or not. */
  readonly total: number;
  readonly samples: readonly SampledRecord[];
  readonly actions: PlannedActions;
  /** Null: no guard holds it. */
  readonly hold: PlannedHold | null;
  readonly forecaster: Forecaster;
  /** Rows that do not differ were not read, so nothing is known of their doubtful values. */
  readonly partial: boolean;
  readonly error: SyncError | null;
}

/** `above`: the forecast of its parents. Errors: SyncError of scope `run`. */
export async function planEntity(
  context: PlanContext,
  entity: ConfiguredEntity,
  options: CollectOptions,
  above: Forecaster | null,
): Promise<PlannedEntity> {
  const { state, settings } = context;
  const before = await state.entityStates.read(entity.name);
  const counts = await state.records.counts(entity.name);
  const collector = collectChanges(entity, state, options);
  const sample = sampleRecords(entity, options.samples);
  const today = platformDay(context.clock.now(), settings.platform.timeZone);
  const forecaster = createForecaster({ entity, forecasts: state.forecasts, counts, today, above });
  const reason = sweepReason(before, entity.fingerprint, settings.sweep.fullEveryMs);
  const read = await readEntity(context, entity, { collector, forecaster, sample, reason, before }).catch(
    (error: unknown) => {
      if (!(error instanceof SyncError) || error.scope !== 'entity') throw error;
      return error;
    },
  );
  if (read instanceof SyncError) return unread(entity, forecaster, { before, counts, error: read });

  const tally = withoutRenamed(read.tally, collector.renamed());
  const findings = { ...guardFindings(tally, entity), otherSource: read.other };
  const hold = judgeGuards(findings, settings.guards, before.approval);
  // Another mapping is a new try: a push that refusals had stopped goes on.
  const rearmed = before.pushHold !== null && hold === null && before.fingerprint !== entity.fingerprint;
  const pushHold = rearmed ? null : before.pushHold;
  const end = { applied: hold === null, pushed: pushHold === null, read: true, rearmed };
  const forecast = await forecaster.end(end);
  return {
    report: {
      ...emptyReport(entity.name),
      ...sweepCounters(entity.name, tally),
      ...left(entity, forecast, collector.renamed()),
      held: hold !== null || pushHold !== null,
    },
    changes: collector.listed(),
    standing: collector.standing(),
    total: collector.total(),
    samples: sample.records(),
    actions: {
      ...NO_ACTIONS,
      ...(end.pushed && sends(entity, forecast, collector.renamed())),
      waiting: forecast.waiting,
      held: end.applied ? 0 : tally.new + tally.changed + tally.vanished,
      kept: end.applied ? keptBy(entity, forecast, collector.renamed()) : 0,
      gone: end.applied ? forecast.absent : 0,
      invalid: tally.invalid,
    },
    hold: plannedHold(entity, hold, pushHold, counts),
    forecaster,
    partial: !isFull(reason),
    error: null,
  };
}

interface Reading {
  readonly collector: ReturnType<typeof collectChanges>;
  readonly forecaster: Forecaster;
  readonly sample: ReturnType<typeof sampleRecords>;
  readonly reason: SweepReason;
  readonly before: EntityState;
}

/** Reads source and ledger as a sweep does, then the invalid records that it did not judge again. */
async function readEntity(
  context: PlanContext,
  entity: ConfiguredEntity,
  { collector, forecaster, sample, reason, before }: Reading,
): Promise<{ readonly tally: ChangeTally; readonly other: OtherSource | null }> {
  const { source, state, signal, settings } = context;
  const sink: ChangeSink = {
    async take(changes) {
      await forecaster.take(changes);
      await collector.take(changes);
      sample.take(changes);
    },
    warn: forecaster.warn,
    restart() {
      forecaster.restart();
      collector.restart();
      sample.restart();
      return Promise.resolve();
    },
  };
  const examine = async (reader: SourceReader) => {
    const { other } = await lookAtSource(reader, settings, entity, before);
    return { tally: await readChanges({ ...context, entity, reader, sink, reason }), other };
  };
  const read = await source.read(entity.query, examine, signal);
  // A full sweep judges all of them.
  if (isFull(reason)) return read;
  for await (const page of state.forecasts.invalid(entity.name))
    for (const record of page) if (collector.standInvalid(record)) forecaster.standInvalid(record);
  return read;
}

/** Its query fails; what is pending is still sent. */
async function unread(
  entity: ConfiguredEntity,
  forecaster: Forecaster,
  { before, counts, error }: { before: EntityState; counts: StatusCounts; error: SyncError },
): Promise<PlannedEntity> {
  const { code, message } = error;
  forecaster.restart();
  const pushed = before.pushHold === null;
  const forecast = await forecaster.end({ applied: false, pushed, read: false, rearmed: false });
  const held = before.hold !== null || !pushed;
  return {
    report: { ...emptyReport(entity.name), ...left(entity, forecast, 0), held, error: { code, message } },
    changes: [],
    standing: [],
    total: 0,
    samples: [],
    actions: { ...NO_ACTIONS, ...(pushed && sends(entity, forecast, 0)), waiting: forecast.waiting },
    hold: plannedHold(entity, null, before.pushHold, counts),
    forecaster,
    partial: false,
    error,
  };
}

/** A UUID that is only written in another case is one record. */
function withoutRenamed(tally: ChangeTally, renamed: number): ChangeTally {
  return {
    ...tally,
    vanished: tally.vanished - renamed,
    new: tally.new - renamed,
    changed: tally.changed + renamed,
  };
}

type Sends = Pick<PlannedActions, 'create' | 'update' | 'close' | 'delete' | 'before'>;

function sends({ onVanished }: ConfiguredEntity, forecast: EntityForecast, renamed: number): Sends {
  const { create, update, close, before } = forecast;
  const count = withdrawn(forecast, renamed);
  const deletes = onVanished === 'delete';
  return { create, update, close: close + (deletes ? 0 : count), delete: deletes ? count : 0, before };
}

/** What the ledger holds when the run begins to send. */
function left(entity: ConfiguredEntity, forecast: EntityForecast, renamed: number) {
  const { create, update, close, delete: deleted, before } = sends(entity, forecast, renamed);
  return { pending: create + update + close + deleted + before, waiting: forecast.waiting };
}

function withdrawn({ withdraw }: EntityForecast, renamed: number): number {
  return Math.max(withdraw - renamed, 0);
}

/** Those that the platform keeps as they are. A key that only changed its spelling is not vanished. */
function keptBy({ onVanished }: ConfiguredEntity, { kept }: EntityForecast, renamed: number): number {
  return onVanished === 'close' || onVanished === 'delete' ? kept : Math.max(kept - renamed, 0);
}

function plannedHold(
  entity: ConfiguredEntity,
  hold: Pick<Hold, 'guard' | 'message' | 'counts'> | null,
  pushHold: EntityState['pushHold'],
  { rejected }: StatusCounts,
): PlannedHold | null {
  const reasons = [hold, pushHold].flatMap((each) => (each ? [`${each.guard}: ${each.message}`] : []));
  if (reasons.length === 0) return null;
  const push = pushHold && { rejected };
  return {
    reason: reasons.join(' '),
    consequences: approvalConsequences({ sweep: hold?.counts ?? null, push }, entity),
  };
}

interface CollectOptions {
  /** Of changes that are listed. */
  readonly limit: number;
  /** Separate limits for invalid records, and for those that were invalid before; null: the common limit. */
  readonly invalid: { readonly limit: number; readonly standingLimit: number } | null;
  readonly withDiff: boolean;
  /** How many records are shown whole. */
  readonly samples: number;
}

/** Lists the first changes of what a sweep would stage; writes nothing. */
function collectChanges(
  entity: ConfiguredEntity,
  { ledger, forecasts }: Pick<PlanState, 'ledger' | 'forecasts'>,
  { limit, invalid, withDiff }: CollectOptions,
) {
  const whole = () => ({ invalid: invalid?.limit ?? 0, standing: invalid?.standingLimit ?? 0, other: limit });
  let listed: PlannedChange[] = [];
  let standing: PlannedChange[] = [];
  let total = 0;
  let left = whole();
  const mayList = (kind: keyof typeof left) => {
    const counted = invalid === null ? 'other' : kind;
    if (left[counted] <= 0) return false;
    left[counted] -= 1;
    return true;
  };
  let vanished = new Set<string>();
  let appeared = new Set<string>();
  /** Keys of records that were invalid, and of which the sweep found something. */
  let judged = new Set<string>();
  const renamed = () => [...appeared].filter((id) => vanished.has(id));

  return {
    listed() {
      const same = new Set(renamed());
      return listed
        .filter(({ action, key }) => action !== 'vanished' || !same.has(uuidText(key) ?? ''))
        .map((change) =>
          change.action === 'new' && same.has(uuidText(change.key) ?? '')
            ? { ...change, action: 'changed' as const }
            : change,
        );
    },
    /** Invalid records that were invalid before: no news, and often many. */
    standing: () => standing,
    /** UUID keys that only changed case: counted as vanished and new, but the record stays. */
    renamed: () => renamed().length,
    /** How many changes there are, listed or not. */
    total: () => total - renamed().length,

    restart() {
      listed = [];
      standing = [];
      total = 0;
      left = whole();
      vanished = new Set();
      appeared = new Set();
      judged = new Set();
    },

    /** An invalid record that the sweep did not judge. False: the sweep did. */
    standInvalid(record: StandingInvalid) {
      if (judged.has(record.key)) return false;
      total += 1;
      if (mayList('standing')) standing.push(describeInvalid(entity.name, record, record.issues));
      return true;
    },

    async take(changes: readonly Change[]) {
      for (const { finding, known } of changes) {
        const id = uuidText(finding.key);
        if (id !== null && finding.kind === 'vanished') vanished.add(id);
        if (id !== null && known === null) appeared.add(id);
        if (known?.invalid) judged.add(finding.key);
      }
      const real = changes.filter(({ finding }) => finding.kind !== 'touched');
      total += real.length;
      const shown = real.filter((change) => mayList(kindOf(change)));
      const keys = shown
        .filter(({ finding }) => finding.kind !== 'new' && finding.kind !== 'invalid')
        .map(({ finding }) => finding.key);
      const payloads =
        keys.length > 0 ? await ledger.payloads(entity.name, keys) : new Map<string, KnownPayloads>();
      const parents = withDiff ? await namedParents(entity, forecasts, shown, [...payloads.values()]) : null;
      for (const change of shown) {
        const known = payloads.get(change.finding.key);
        const id = change.finding.parentPlatformId;
        const before = { payload: known?.desired ?? null, parent: named(known?.parentPlatformId, parents) };
        (kindOf(change) === 'standing' ? standing : listed).push(
          describeChange(entity, change, { before, after: named(id, parents), withDiff }),
        );
      }
    },
  };
}

function kindOf({ finding, known }: Change): 'invalid' | 'standing' | 'other' {
  if (finding.kind !== 'invalid') return 'other';
  return known?.invalid ? 'standing' : 'invalid';
}

/** Keys of parents by platform id: of the ledger, and what the rows say of those that it does not have. */
async function namedParents(
  { parent }: ConfiguredEntity,
  forecasts: Forecasts,
  changes: readonly Change[],
  before: readonly KnownPayloads[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!parent) return names;
  for (const { finding, row } of changes) {
    const key = scalarText(row?.[parent.column]);
    if (finding.parentPlatformId !== null && !('fault' in key) && key.value !== null)
      names.set(finding.parentPlatformId, key.value);
  }
  const platformIds = [...names.keys(), ...before.flatMap(({ parentPlatformId }) => parentPlatformId ?? [])];
  const known = await forecasts.standings(parent.entity, { keys: [], platformIds });
  for (const { platformId, key } of known) names.set(platformId, key);
  return names;
}

function named(id: string | null | undefined, keys: ReadonlyMap<string, string> | null): NamedParent | null {
  return id ? { platformId: id, key: keys?.get(id) ?? null } : null;
}

const NO_ACTIONS = {
  create: 0,
  update: 0,
  close: 0,
  delete: 0,
  /** To be sent already before this plan, also those whose parent comes only now. */
  before: 0,
  /** They stay behind, because their parent does not come. */
  waiting: 0,
  /** Vanished records that the platform keeps. */
  kept: 0,
  /** Vanished records that the platform does not have. */
  gone: 0,
  /** Changes of sweeps that a guard holds: nothing of them is applied. */
  held: 0,
  invalid: 0,
};

export type PlannedActions = Readonly<typeof NO_ACTIONS>;

export function sumOfActions(all: readonly PlannedActions[]): PlannedActions {
  const sums = { ...NO_ACTIONS };
  for (const name of Object.keys(sums) as (keyof PlannedActions)[])
    for (const actions of all) sums[name] += actions[name];
  return sums;
}
