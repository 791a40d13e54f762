import type { Area } from '../domain/area.js';
import type { EntityName } from '../domain/entity-name.js';
import type { Hold, PushHold } from '../domain/guard/hold.js';
import { issueText, type Issue } from '../domain/issue.js';
import { isAboutApplications } from '../entities/index.js';
import type { InvalidReasons, Reason } from '../ports/record-lists.js';
import type { EntityHealth } from './health.js';
import type { StoppedArea } from './area-watch.js';

/** A record that waits for a parent that does not come. */
export interface Blocked {
  readonly key: string;
  /** Null: the parent is not there. */
  readonly parentKey: string | null;
}

/** One thing that does not mend itself, or that somebody should know of. */
export type Need =
  | { readonly kind: 'standstill' }
  | { readonly kind: 'area-stopped'; readonly stopped: StoppedArea }
  | { readonly kind: 'outage'; readonly area: Area; readonly deferred: number }
  | {
      readonly kind: 'held';
      readonly entity: EntityName;
      readonly hold: Hold;
      /** Somebody has permitted it, and no sweep has come since. */
      readonly approved: boolean;
    }
  | { readonly kind: 'push-held'; readonly entity: EntityName; readonly hold: PushHold }
  | { readonly kind: 'failed'; readonly entity: EntityName; readonly code: string; readonly message: string }
  | { readonly kind: 'in-doubt'; readonly entities: readonly EntityName[]; readonly since: Date }
  | { readonly kind: 'stale'; readonly entity: EntityName; readonly lastSuccessAt: Date | null }
  | {
      readonly kind: 'rejected' | 'invalid';
      readonly entity: EntityName;
      readonly count: number;
      readonly reasons: readonly Reason[];
    }
  | { readonly kind: 'unmapped'; readonly entity: EntityName; readonly codes: readonly Reason[] }
  | {
      readonly kind: 'blocked';
      readonly entity: EntityName;
      readonly parent: EntityName;
      readonly count: number;
      readonly samples: readonly Blocked[];
    };

/** Why records of an entity need a human. */
export interface Reasons {
  readonly rejected: readonly Reason[];
  readonly invalid: InvalidReasons;
  readonly blocked: readonly Blocked[];
}

/** What needs a human, the most urgent first. Pure. */
export function findNeeds(
  entities: readonly EntityHealth[],
  reasons: ReadonlyMap<EntityName, Reasons>,
  {
    stopped,
    silent,
    idle,
  }: {
    readonly stopped: readonly StoppedArea[];
    readonly silent: ReadonlyMap<Area, number>;
    /** Nobody holds a lease. */
    readonly idle: boolean;
  },
): readonly Need[] {
  return [
    ...(idle ? [{ kind: 'standstill' } as const] : []),
    ...stopped.map((one) => ({ kind: 'area-stopped', stopped: one }) as const),
    ...[...silent].flatMap(([area, deferred]) =>
      stopped.some((one) => one.area === area) ? [] : [{ kind: 'outage', area, deferred } as const],
    ),
    ...inDoubt(entities),
    ...entities.flatMap(holdsOf),
    ...entities.flatMap(({ name, failure }) =>
      failure ? [{ kind: 'failed', entity: name, ...failure } as const] : [],
    ),
    ...entities.flatMap(({ name, stale, state }) =>
      stale ? [{ kind: 'stale', entity: name, lastSuccessAt: state.lastSuccessAt } as const] : [],
    ),
    ...entities.flatMap((entity) => recordsOf(entity, reasons.get(entity.name))),
  ];
}

/** The state database went back in time: one need, whatever the number of entities. */
function inDoubt(entities: readonly EntityHealth[]): Need[] {
  const doubted = entities.flatMap(({ name, state: { inDoubtSince } }) =>
    inDoubtSince ? [{ name, since: inDoubtSince }] : [],
  );
  const [first] = doubted;
  return first
    ? [{ kind: 'in-doubt', entities: doubted.map(({ name }) => name), since: first.since } as const]
    : [];
}

function holdsOf({ name, state: { hold, pushHold, approval } }: EntityHealth): Need[] {
  const approved =
    hold !== null &&
    approval !== null &&
    hold.counts.vanished <= approval.vanished &&
    hold.counts.invalid <= approval.invalid;
  return [
    ...(hold ? [{ kind: 'held', entity: name, hold, approved } as const] : []),
    ...(pushHold ? [{ kind: 'push-held', entity: name, hold: pushHold } as const] : []),
  ];
}

function recordsOf({ name, parent, counts }: EntityHealth, reasons: Reasons | undefined): Need[] {
  if (!reasons) return [];
  const { rejected, blocked } = reasons;
  const { codes, others, onlyCodes } = reasons.invalid;
  const invalid = counts.invalid - onlyCodes;
  return [
    ...(counts.rejected > 0
      ? [{ kind: 'rejected', entity: name, count: counts.rejected, reasons: rejected } as const]
      : []),
    ...(codes.length > 0 ? [{ kind: 'unmapped', entity: name, codes } as const] : []),
    // What only lacks an id is told above, with the cure for that.
    ...(invalid > 0 && (others.length > 0 || codes.length === 0)
      ? [{ kind: 'invalid', entity: name, count: invalid, reasons: others } as const]
      : []),
    ...(counts.blocked > 0 && parent !== null
      ? [{ kind: 'blocked', entity: name, parent, count: counts.blocked, samples: blocked } as const]
      : []),
  ];
}

/** An issue as one line. Of a record about an application without the value: it speaks of an applicant. Pure. */
export function issueLine(entity: EntityName, issue: Issue): string {
  return issueText(isAboutApplications(entity) ? { ...issue, value: undefined } : issue);
}
