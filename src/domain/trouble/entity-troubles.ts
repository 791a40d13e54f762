import { approvalConsequences } from '../guard/approval-consequences.js';
import { covers } from '../guard/covers.js';
import type { Hold } from '../guard/hold.js';
import { areaTroubles } from './area-troubles.js';
import { isUnread } from './is-unread.js';
import type { Trouble } from './trouble.js';
import type { EntityFacts, RunFacts, TroubleFacts } from './trouble-facts.js';

/** Troubles of entities and their records. Pure. */
export function entityTroubles(facts: TroubleFacts): Trouble[] {
  const { entities, run, staleAfterMs } = facts;
  const stopped = areaTroubles(facts).map(({ subject }) => subject);
  return [
    ...entities.flatMap(holdTroubles),
    ...entities.flatMap((entity) => failure(entity, run)),
    ...entities.flatMap((entity) => (staleAfterMs === null ? [] : [stale(entity, facts, staleAfterMs)])),
    ...entities.flatMap((entity) => recordTroubles(entity, run)),
    ...entities.flatMap(drifted),
    // The trouble of a stopped area covers what is deferred there.
    ...entities
      .filter(({ area }) => !stopped.some((subject) => subject && 'area' in subject && subject.area === area))
      .flatMap(deferred),
  ];
}

const ABSENT = { count: null, sampleKeys: [], since: null, message: null, hint: null } as const;

function holdTroubles({ name, vanished, counts, state }: EntityFacts): Trouble[] {
  const { hold, pushHold, approval } = state;
  const subject = { entity: name };
  const sweep = hold?.counts ?? null;
  const push = pushHold && { rejected: counts?.rejected ?? null };
  const approved = { sweep, consequences: approvalConsequences({ sweep, push }, vanished) };
  return [
    ...(hold
      ? [
          {
            ...ABSENT,
            kind: 'held',
            subject,
            ...pick(hold),
            ...approved,
            counts: hold.counts,
            count: hold.counts.vanished + hold.counts.invalid + (hold.counts.changed ?? 0),
            approved: covers(approval, hold.counts),
          } as const,
        ]
      : []),
    ...(pushHold
      ? [
          {
            ...ABSENT,
            kind: 'push-held',
            subject,
            ...pick(pushHold),
            ...approved,
            count: pushHold.refused,
          } as const,
        ]
      : []),
  ];
}

function pick<Guard>(hold: Pick<Hold, 'message' | 'sampleKeys' | 'since'> & { readonly guard: Guard }) {
  const since = new Date(hold.since);
  return {
    guard: hold.guard,
    message: hold.message,
    sampleKeys: hold.sampleKeys,
    since: Number.isNaN(since.getTime()) ? null : since,
  };
}

function failure({ name }: EntityFacts, run: RunFacts | null): Trouble[] {
  const error = run?.entities[name]?.error;
  if (!error || !isUnread(error)) return [];
  return [{ ...ABSENT, kind: 'failed', subject: { entity: name }, ...error }];
}

function stale(
  { name, area, deferral, state: { hold, pushHold, lastSuccessAt, lastSweepAt } }: EntityFacts,
  { run, areas }: Pick<TroubleFacts, 'run' | 'areas'>,
  afterMs: number,
): Trouble {
  const stop = areas.find((one) => one.area === area)?.stop;
  return {
    ...ABSENT,
    kind: 'stale',
    subject: { entity: name },
    since: lastSuccessAt,
    afterMs,
    lastSweepAt,
    held: (hold ?? pushHold) !== null,
    lastErrorCode: run?.entities[name]?.error?.code ?? run?.error?.code ?? null,
    deferred: deferral,
    unread: stop?.code === 'reply-not-understood' ? stop.hint : null,
  };
}

function recordTroubles({ name, parent, counts, reasons }: EntityFacts, run: RunFacts | null): Trouble[] {
  if (counts === null) return [];
  const of = { ...ABSENT, subject: { entity: name } };
  const { codes, others, onlyCodes, found } = reasons?.invalid ?? { codes: [], others: [], onlyCodes: 0 };
  const leftOut = { codes: (found?.codes ?? 0) - codes.length, others: (found?.others ?? 0) - others.length };
  const rejected = reasons?.rejected ?? [];
  const records = reasons?.blocked ?? [];
  const invalid = counts.invalid - onlyCodes;
  const keys = (list: typeof others) => list[0]?.sampleKeys ?? [];
  return [
    ...(counts.rejected > 0
      ? [
          {
            ...of,
            kind: 'rejected',
            count: counts.rejected,
            sampleKeys: keys(rejected),
            reasons: rejected,
          } as const,
        ]
      : []),
    ...(counts.invalid > 0 && codes.length > 0
      ? [
          {
            ...of,
            kind: 'unmapped',
            count: found?.codes ?? codes.length,
            sampleKeys: keys(codes),
            reasons: codes,
            leftOut: Math.max(leftOut.codes, 0),
          } as const,
        ]
      : []),
    // Records that only lack an id are in `unmapped` above, with the hint for that.
    ...(invalid > 0 && (others.length > 0 || codes.length === 0)
      ? [
          {
            ...of,
            kind: 'invalid',
            count: invalid,
            sampleKeys: keys(others),
            reasons: others,
            leftOut: Math.max(leftOut.others, 0),
          } as const,
        ]
      : []),
    ...(counts.blocked > 0 && parent !== null
      ? [
          {
            ...of,
            kind: 'blocked',
            count: counts.blocked,
            sampleKeys: records.map(({ key }) => key),
            parent: parent.entity,
            parentKeptBack: parent.held || isUnread(run?.entities[parent.entity]?.error ?? null),
            records,
            causes: reasons?.waiting ?? [],
          } as const,
        ]
      : []),
  ];
}

function drifted({ name, state: { drift } }: EntityFacts): Trouble[] {
  return drift === undefined ? [] : [{ ...ABSENT, kind: 'drifted', subject: { entity: name }, ...drift }];
}

function deferred({ name, counts, deferral }: EntityFacts): Trouble[] {
  if (counts === null || counts.deferred === 0) return [];
  const { since = null, error: message = null } = deferral ?? {};
  return [{ ...ABSENT, kind: 'deferred', subject: { entity: name }, count: counts.deferred, since, message }];
}
