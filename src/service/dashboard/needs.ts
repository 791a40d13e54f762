import type { Area } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { Hold, PushHold } from '../../domain/guard/hold.js';
import { issueText, type Issue } from '../../domain/issue.js';
import type { UnmappedCode } from '../../ports/record-lists.js';
import type { EntityHealth } from './health.js';
import type { StoppedArea } from './area-watch.js';

/** A record that stands for others, and what is the matter with it. */
export interface Sample {
  readonly key: string;
  readonly text: string;
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
  | { readonly kind: 'stale'; readonly entity: EntityName; readonly lastSuccessAt: Date | null }
  | {
      readonly kind: 'rejected' | 'invalid' | 'blocked';
      readonly entity: EntityName;
      readonly count: number;
      readonly samples: readonly Sample[];
    }
  | {
      readonly kind: 'unmapped';
      readonly entity: EntityName;
      readonly codes: readonly UnmappedCode[];
    };

/** Records that stand for others, by entity. */
export interface Samples {
  readonly rejected: readonly Sample[];
  readonly invalid: readonly Sample[];
  readonly blocked: readonly Sample[];
  readonly unmapped: readonly UnmappedCode[];
}

/** What needs a human, the most urgent first. Pure. */
export function findNeeds(
  entities: readonly EntityHealth[],
  samples: ReadonlyMap<EntityName, Samples>,
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
    ...entities.flatMap(holdsOf),
    ...entities.flatMap(({ name, failure }) =>
      failure ? [{ kind: 'failed', entity: name, ...failure } as const] : [],
    ),
    ...entities.flatMap(({ name, stale, state }) =>
      stale ? [{ kind: 'stale', entity: name, lastSuccessAt: state.lastSuccessAt } as const] : [],
    ),
    ...entities.flatMap((entity) => recordsOf(entity, samples.get(entity.name))),
  ];
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

function recordsOf({ name, counts }: EntityHealth, samples: Samples | undefined): Need[] {
  const codes = samples?.unmapped ?? [];
  const needOf = (kind: 'rejected' | 'invalid' | 'blocked'): Need[] =>
    counts[kind] > 0 ? [{ kind, entity: name, count: counts[kind], samples: samples?.[kind] ?? [] }] : [];
  return [
    ...needOf('rejected'),
    // Before the invalid records of which it is the cause.
    ...(codes.length > 0 ? [{ kind: 'unmapped', entity: name, codes } as const] : []),
    ...needOf('invalid'),
    ...needOf('blocked'),
  ];
}

/** An issue as one line. Of an application status without the value: it speaks of an applicant. Pure. */
export function issueLine(entity: EntityName, issue: Issue): string {
  return issueText(entity === 'application-statuses' ? { ...issue, value: undefined } : issue);
}
