import type { EntityName } from '../domain/entity-name.js';
import { SyncError } from '../domain/errors.js';
import { judgeGuards } from '../domain/guard/judge-guards.js';
import type { Issue } from '../domain/issue.js';
import { emptyReport, type EntityReport } from '../domain/outcome.js';
import { canonicalJson } from '../domain/payload/canonical-json.js';
import { hashPayload } from '../domain/payload/hash-payload.js';
import type { JsonObject } from '../domain/json.js';
import type { Entity } from '../entities/entity.js';
import type { EntityPlan } from './entity-plan.js';
import { entityQuery } from './entity-query.js';
import type { RunDependencies } from './run-dependencies.js';
import { fullSweepReason } from './sweep/full-sweep-reason.js';
import { readChanges, type Change } from './sweep/read-changes.js';
import { dayAt, type SweepSettings } from './sweep/sweep-entity.js';

/** One record that the next run would act on. */
export interface PlannedChange {
  readonly entity: EntityName;
  readonly key: string;
  readonly action: 'new' | 'changed' | 'vanished' | 'invalid';
  /** Top-level fields of the body that are another; of an invalid record, those with an issue. */
  readonly fields: readonly string[];
  readonly issues: readonly Issue[];
}

/** What `plan --json` prints: public interface. */
export interface PlanReport {
  readonly entities: Partial<Record<EntityName, EntityReport>>;
  readonly changes: readonly PlannedChange[];
}

/**
 * What a run would find, with nothing written anywhere. `limit` bounds the changes that are listed, not those that
 * are counted. An entity whose query fails has its error in the report.
 */
export async function planSync(
  dependencies: Pick<RunDependencies, 'source' | 'state' | 'emit' | 'clock'>,
  plans: readonly EntityPlan[],
  settings: SweepSettings,
  limit: number,
): Promise<PlanReport> {
  const entities: Partial<Record<EntityName, EntityReport>> = {};
  const changes: PlannedChange[] = [];
  for (const plan of plans) {
    const name = plan.entity.name;
    try {
      entities[name] = await planEntity(dependencies, plan, settings, changes, limit);
    } catch (error) {
      if (!(error instanceof SyncError) || error.scope !== 'entity') throw error;
      const { code, message, hint } = error;
      entities[name] = { ...emptyReport(), error: { code, message } };
      dependencies.emit({ type: 'entity-failed', entity: name, code, message, hint });
    }
  }
  return { entities, changes };
}

async function planEntity(
  { source, state, emit, clock }: Pick<RunDependencies, 'source' | 'state' | 'emit' | 'clock'>,
  plan: EntityPlan,
  settings: SweepSettings,
  listed: PlannedChange[],
  limit: number,
): Promise<EntityReport> {
  const entity = plan.entity.name;
  const before = await state.entityStates.read(entity);
  const counts = await state.records.counts(entity);
  let pending = counts.pending;
  const mark = listed.length;
  const sink = {
    restart: () => {
      listed.length = mark;
      pending = counts.pending;
      return Promise.resolve();
    },
    take: async (page: readonly Change[]) => {
      for (const { finding, known } of page) {
        if (known?.sendable && finding.kind !== 'touched') pending -= 1;
        if (finding.kind === 'new' || finding.kind === 'changed') pending += 1;
      }
      const shown = page.filter(({ finding }) => finding.kind !== 'touched').slice(0, limit - listed.length);
      const changed = shown
        .filter(({ finding }) => finding.kind === 'changed')
        .map(({ finding }) => finding.key);
      const payloads =
        changed.length > 0 ? await state.ledger.payloads(entity, changed) : new Map<string, never>();
      listed.push(
        ...shown.map((change) =>
          planned(plan.entity, change, payloads.get(change.finding.key)?.desired ?? null),
        ),
      );
    },
  };
  const reason = fullSweepReason(before, plan.fingerprint, settings.fullEveryMs);
  const query = entityQuery(plan);
  const tally = await source.read(query, (reader) =>
    readChanges({
      plan,
      reader,
      ledger: state.ledger,
      sink,
      emit,
      full: reason !== null,
      sameMapping: before.fingerprint === plan.fingerprint,
      firstSweep: before.fingerprint === null,
      today: dayAt(clock.now(), settings.timeZone),
    }),
  );
  const hold = judgeGuards(
    {
      ...tally,
      vanished: tally.vanished - tally.expired + tally.settledAnew,
      mayBeEmpty: plan.onVanished === 'ignore',
    },
    settings.guards,
    before.approval,
  );
  const { read, unchanged, changed, vanished, invalid } = tally;
  return {
    ...emptyReport(),
    read,
    unchanged,
    new: tally.new,
    changed,
    vanished,
    invalid,
    waiting: counts.waiting,
    pending: Math.max(pending, 0),
    held: hold !== null || before.pushHold !== null,
  };
}

function planned(
  { name: entity, parent }: Entity,
  { finding, known }: Change,
  before: JsonObject | null,
): PlannedChange {
  const { key, kind, desiredPayload, invalidReason, parentPlatformId } = finding;
  const issues = invalidReason ?? [];
  const action = kind === 'touched' ? 'changed' : kind;
  const fields =
    kind === 'invalid'
      ? [...new Set(issues.map(({ field }) => field))]
      : changedFields(before, desiredPayload);
  const link =
    parent && parentPlatformId !== null ? { field: parent.field, platformId: parentPlatformId } : null;
  // The payload does not hold the parent: it is another one when the former payload under it has another hash.
  const moved =
    link &&
    before &&
    known !== null &&
    known.desiredHash !== null &&
    hashPayload(before, link) !== known.desiredHash;
  return {
    entity,
    key,
    action,
    fields: moved && kind === 'changed' ? [...fields, link.field].sort() : fields,
    issues,
  };
}

/** Names of top-level fields that are not the same in both. */
function changedFields(before: JsonObject | null, after: JsonObject | null): string[] {
  if (after === null) return [];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  const text = (payload: JsonObject | null, name: string) => {
    const value = payload?.[name];
    return value === undefined ? undefined : canonicalJson(value);
  };
  return [...names].filter((name) => text(before, name) !== text(after, name)).sort();
}
