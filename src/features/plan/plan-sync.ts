import { type IssueGroup, largestFirst } from '../../core/domain/issue-group.js';
import type { EntityReport } from '../../core/domain/outcome.js';
import type { EntityName } from '../../core/domain/names.js';
import { withWork } from '../../core/leases.js';
import type { PlannedChange } from './describe-change.js';
import {
  type PlanContext,
  planEntity,
  type PlannedActions,
  type PlannedEntity,
  type PlannedHold,
  sumOfActions,
} from './plan-entity.js';
import { withoutLedger } from './plan-state.js';
import type { SampledRecord } from './sample-records.js';

/** State null: there is no ledger yet. */
export type PlanRequest = Omit<PlanContext, 'state'> & { readonly state: PlanContext['state'] | null };

interface PlanOptions {
  /** Bounds the changes that are listed, not those that are counted. */
  readonly limit: number;
  /** Lists each field with its value now and then. */
  readonly diff: boolean;
  /** Lists newly invalid records before all others, so that no limit hides them; else by their keys. */
  readonly invalidFirst?: boolean;
  /** How many records of each entity are shown whole; default none. */
  readonly samples?: number;
}

/** What `plan --json` prints: public interface. */
export interface PlanReport {
  readonly entities: Record<EntityName, EntityReport>;
  readonly changes: readonly PlannedChange[];
  /** What is invalid, waits or is doubtful, with what follows from it; the largest effect first. */
  readonly groups: readonly IssueGroup[];
  /** With `--sample`: some records as they would be sent. */
  readonly samples?: readonly SampledRecord[];
}

/** The report, and what people see beside it. */
export interface PlanFindings extends PlanReport {
  readonly holds: Record<EntityName, PlannedHold>;
  /** Changes that the limit left out of the list. */
  readonly unlisted: number;
  /** Entities of which only the rows that differ were looked at for doubtful values. */
  readonly partial: readonly EntityName[];
  readonly actions: PlannedActions;
}

/**
 * What a run would find and send; writes nothing. An entity whose query fails has its error in the report.
 */
export async function planSync(asked: PlanRequest, options: PlanOptions): Promise<PlanFindings> {
  const context: PlanContext = { ...asked, state: asked.state ?? withoutLedger() };
  const { limit, diff: withDiff, invalidFirst = false, samples = 0 } = options;
  const planned = new Map<EntityName, PlannedEntity>();
  for (const entity of context.entities) {
    const { name, parent } = entity;
    const above = (parent && planned.get(parent.entity)?.parents) ?? null;
    const found = await withWork(context.emit, `Reading ${name}`, () =>
      planEntity(context, entity, { limit, withDiff, samples, above }),
    );
    planned.set(name, found);
    if (found.error) {
      const { code, message, hint } = found.error;
      context.emit({ type: 'entity-failed', entity: name, code, message, hint });
    }
  }
  const all = [...planned];
  const listed = all.flatMap(([, each]) => each.listed);
  const isFirst = ({ action }: PlannedChange) => invalidFirst && action === 'invalid';
  const changes = [
    ...listed.filter(isFirst),
    ...listed.filter((change) => !isFirst(change)),
    ...all.flatMap(([, { standing }]) => standing),
  ].slice(0, limit);
  return {
    entities: Object.fromEntries(all.map(([name, { report }]) => [name, report])),
    changes,
    groups: largestFirst(all.flatMap(([, { parents }]) => parents.groups.groups())),
    ...(samples > 0 ? { samples: all.flatMap(([, planned]) => planned.samples) } : {}),
    holds: Object.fromEntries(all.flatMap(([name, { hold }]) => (hold ? [[name, hold]] : []))),
    unlisted: all.reduce((sum, [, { total }]) => sum + total, 0) - changes.length,
    partial: all.flatMap(([name, { partial }]) => (partial ? [name] : [])),
    actions: sumOfActions(all.map(([, { actions }]) => actions)),
  };
}
