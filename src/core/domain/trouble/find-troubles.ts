import { ERROR_CODES } from '../errors.js';
import { approvalConsequences, covers, type Hold } from '../guard.js';
import type { IssueGroup } from '../issue-group.js';
import { type Area, AREAS } from '../names.js';
import { takenDown } from '../reply/reply.js';
import {
  type AreaFacts,
  type EntityFacts,
  isMass,
  isMostlyKeptBack,
  leftIn,
  type RunFacts,
  stopMatters,
  type StoppedArea,
  type Trouble,
  type TroubleFacts,
  type TroubleOf,
} from './trouble.js';

/**
 * What is wrong, the most pressing first: the one list that exit code, summary, `status`, dashboard, notices and
 * metrics show.
 */
export function findTroubles(facts: TroubleFacts): readonly Trouble[] {
  return possibleTroubles(facts).filter((trouble) => hasLasted(trouble, facts.now));
}

/** Also those that have not lasted long enough to be a trouble. */
export function possibleTroubles(facts: TroubleFacts): readonly Trouble[] {
  const areas = areaTroubles(facts);
  return [
    ...runTroubles(facts),
    ...areas,
    ...inDoubt(facts),
    ...webhookRefused(facts),
    ...entityTroubles(facts).filter(isNews(areas, facts)),
  ];
}

/** Where nothing is sent to an area, its stop is the trouble, and not that attempts failed before. */
function isNews(areas: readonly Trouble[], { entities }: TroubleFacts): (trouble: Trouble) => boolean {
  const stopped = areas.flatMap(({ subject }) => (subject && 'area' in subject ? subject.area : []));
  const deferredBy = new Set(entities.filter(({ area }) => stopped.includes(area)).map(({ name }) => name));
  return (trouble) => trouble.kind !== 'deferred' || !deferredBy.has(trouble.subject.entity);
}

function hasLasted(trouble: Trouble, now: Date): boolean {
  if (trouble.kind !== 'stale') return true;
  // An entity without a success counts from its last sweep; without a sweep it is new.
  const since = trouble.since ?? trouble.lastSweepAt;
  return since !== null && now.getTime() - since.getTime() > trouble.afterMs;
}

const PLAIN = { subject: null, count: null, sampleKeys: [], since: null, message: null, hint: null } as const;

/** Troubles of the process or of the run as a whole. */
function runTroubles({ idle, run }: TroubleFacts): Trouble[] {
  const failed = (code: string, message: string) =>
    ({ ...PLAIN, kind: 'run-failed', code, message }) as const;
  const unbalanced = Object.values(run?.entities ?? {}).some(
    ({ sent, accepted, rejected, deferred }) => sent !== accepted + rejected + deferred,
  );
  return [
    ...(idle ? [{ ...PLAIN, kind: 'standstill' } as const] : []),
    ...(run?.interrupted ? [{ ...PLAIN, kind: 'interrupted' } as const] : []),
    ...(run?.error && !run.interrupted ? [failed(run.error.code, run.error.message)] : []),
    ...(unbalanced
      ? [failed('unbalanced', 'The number of sent records differs from the number of answers.')]
      : []),
  ];
}

/** The state database went back in time: one trouble, whatever the number of entities. */
function inDoubt({ entities }: TroubleFacts): Trouble[] {
  const doubted = entities.flatMap(({ name, state: { inDoubtSince } }) =>
    inDoubtSince ? [{ entity: name, since: inDoubtSince }] : [],
  );
  const [first] = doubted;
  return first ? [{ ...PLAIN, kind: 'in-doubt', entities: doubted, since: first.since }] : [];
}

function webhookRefused({ refusedWebhooks: refused }: TroubleFacts): Trouble[] {
  return refused ? [{ ...PLAIN, kind: 'webhook-refused', ...refused }] : [];
}

/** Troubles of the areas of the platform. */
function areaTroubles(facts: TroubleFacts): Trouble[] {
  return AREAS.flatMap((area): Trouble[] => {
    const known = facts.areas.find((one) => one.area === area);
    const count = leftIn(facts, area);
    const found = known
      ? seen(withoutPast(known, facts.now)).filter(
          (one) => one.kind !== 'area-stopped' || stopMatters(one.code, count),
        )
      : reported(facts, area);
    return found.map((one) => ({ ...one, count, byWorker: facts.worker }));
  });
}

type AreaTrouble = TroubleOf<'auth-refused' | 'area-stopped'>;

const ABSENT = { count: null, sampleKeys: [], since: null, message: null, hint: null } as const;

/** Troubles that this process has seen, or that the state has stored. */
function seen({ area, stop, credentials, refusedCause }: AreaFacts): AreaTrouble[] {
  const stopped = stop && stopTrouble(area, stop.code, stop);
  // A stop for another reason does not show that the platform accepts our credentials again.
  return credentials === 'refused' && stop?.code !== 'authentication-refused'
    ? [
        {
          ...ABSENT,
          kind: 'auth-refused',
          subject: { area },
          retryAt: null,
          byWorker: false,
          hint: refusedCause?.hint ?? null,
          cause: refusedCause?.cause ?? null,
        },
        ...(stopped ? [stopped] : []),
      ]
    : stopped
      ? [stopped]
      : [];
}

/** Without times that are over by now. */
function withoutPast(known: AreaFacts, now: Date): AreaFacts {
  const { stop } = known;
  const future = (at: Date | null | undefined) => (at && at > now ? at : null);
  return stop
    ? { ...known, stop: { ...stop, pausedUntil: future(stop.pausedUntil), retryAt: future(stop.retryAt) } }
    : known;
}

/** Troubles from the run's report: the error is on each entity of the area, so the first one is taken. */
function reported({ run, entities }: TroubleFacts, area: Area): AreaTrouble[] {
  for (const { name } of entities.filter((entity) => entity.area === area)) {
    const error = run?.entities[name]?.error;
    if (error && stopsArea(error.code)) return [stopTrouble(area, error.code, error)];
  }
  return [];
}

/** Codes whose hint names the likely cause; the other hints only say what every run does. */
const NAMES_CAUSE: readonly string[] = [
  'authentication-refused',
  'redirected',
  'request-refused',
  'same-refusal',
  'reply-not-understood',
];

/** The hint of the stop itself, where the text of its code or cause does not say as much. */
function ownHint(code: string, { hint, cause }: Partial<Pick<StoppedArea, 'hint' | 'cause'>>): string | null {
  return NAMES_CAUSE.includes(code) && cause !== 'edge' && cause !== 'edge-certificate'
    ? (hint ?? null)
    : null;
}

function stopTrouble(
  area: Area,
  code: string,
  stop: { readonly message: string } & Partial<StoppedArea>,
): AreaTrouble {
  const { message, retryAt = null, since = null, pausedUntil = null, cause = null } = stop;
  const hint = ownHint(code, stop);
  const common = { ...ABSENT, subject: { area }, message, hint, retryAt, byWorker: false, since, cause };
  return code === 'authentication-refused'
    ? { ...common, kind: 'auth-refused' }
    : { ...common, kind: 'area-stopped', code, pausedUntil };
}

/** Whether an entity's error is about its area. */
export function stopsArea(code: string): boolean {
  return Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as keyof typeof ERROR_CODES] === 5;
}

/** Troubles of entities and their records. */
function entityTroubles(facts: TroubleFacts): Trouble[] {
  const { entities, run, staleAfterMs } = facts;
  const stopped = areaTroubles(facts).map(({ subject }) => subject);
  return [
    ...entities.flatMap(holdTroubles),
    ...entities.flatMap((entity) => failure(entity, run)),
    ...entities.flatMap((entity) => (staleAfterMs === null ? [] : [stale(entity, facts, staleAfterMs)])),
    ...entities.flatMap(slow),
    ...entities.flatMap((entity) => recordTroubles(entity, run)),
    ...entities.flatMap(drifted),
    // The trouble of a stopped area covers what is deferred there.
    ...entities
      .filter(({ area }) => !stopped.some((subject) => subject && 'area' in subject && subject.area === area))
      .flatMap((entity) => deferred(entity, facts.worker)),
  ];
}

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
            whose: hold.whose ?? null,
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
  entity: EntityFacts,
  { run, areas, worker }: Pick<TroubleFacts, 'run' | 'areas' | 'worker'>,
  afterMs: number,
): Trouble {
  const { name, area, deferral, counts, state, unsendable: share } = entity;
  const { hold, pushHold, lastSuccessAt, lastSweepAt } = state;
  const stop = areas.find((one) => one.area === area)?.stop;
  return {
    ...ABSENT,
    kind: 'stale',
    subject: { entity: name },
    since: lastSuccessAt,
    afterMs,
    lastSweepAt,
    held: (hold ?? pushHold) !== null,
    keptBack:
      isMostlyKeptBack(counts) || (share !== undefined && isMass(share.invalid + share.blocked, share.of)),
    lastErrorCode: run?.entities[name]?.error?.code ?? run?.error?.code ?? null,
    deferred: deferral,
    byWorker: worker,
    stop: stop ? { code: stop.code, hint: ownHint(stop.code, stop), cause: stop.cause ?? null } : null,
  };
}

/** What the platform took down: by the counts of the records, where these were read. */
function takenDownTrouble({ name, counts, takenDown: read }: EntityFacts): Trouble[] {
  const { refused = 0, removed = 0 } = counts?.atPlatform ?? read ?? {};
  if (refused + removed === 0) return [];
  const since = read?.since ?? null;
  const subject = { entity: name };
  return [{ ...ABSENT, kind: 'taken-down', subject, count: refused + removed, since, refused, removed }];
}

/** What the platform rejects, where records were not counted. */
function rejectedTrouble({ name, rejections: share }: EntityFacts): Trouble[] {
  if (share === undefined || share.rejected === 0) return [];
  return [
    { ...ABSENT, kind: 'rejected', subject: { entity: name }, count: share.rejected, reasons: [], share },
  ];
}

/** What cannot be sent, where records were not counted. */
function unsendableTroubles({ name, parent, unsendable }: EntityFacts, run: RunFacts | null): Trouble[] {
  if (unsendable === undefined) return [];
  const { invalid, blocked, of } = unsendable;
  const common = { ...ABSENT, subject: { entity: name }, of };
  return [
    ...(invalid > 0
      ? [{ ...common, kind: 'invalid', count: invalid, reasons: [], leftOut: 0 } as const]
      : []),
    ...(blocked > 0 && parent !== null
      ? [
          {
            ...common,
            kind: 'blocked',
            count: blocked,
            ...ofParent(parent, run),
            records: [],
            causes: [],
          } as const,
        ]
      : []),
  ];
}

function ofParent({ entity, held }: NonNullable<EntityFacts['parent']>, run: RunFacts | null) {
  return { parent: entity, parentKeptBack: held || isUnread(run?.entities[entity]?.error ?? null) };
}

function recordTroubles(facts: EntityFacts, run: RunFacts | null): Trouble[] {
  const { name, parent, counts, reasons } = facts;
  if (counts === null)
    return [...rejectedTrouble(facts), ...takenDownTrouble(facts), ...unsendableTroubles(facts, run)];
  const { codes, others, onlyCodes, found } = reasons?.invalid ?? { codes: [], others: [], onlyCodes: 0 };
  const { rejected = [], blocked: records = [], waiting: causes = [] } = reasons ?? {};
  const of = (count: number, list: readonly IssueGroup[], all = list.length) => ({
    ...ABSENT,
    subject: { entity: name },
    count,
    sampleKeys: list[0]?.sampleKeys ?? [],
    reasons: list,
    leftOut: Math.max(all - list.length, 0),
  });
  const troubles: Trouble[] = [];
  const down = takenDown(counts);
  if (counts.rejected > down) troubles.push({ kind: 'rejected', ...of(counts.rejected - down, rejected) });
  troubles.push(...takenDownTrouble(facts));
  if (counts.invalid > 0 && codes.length > 0)
    troubles.push({ kind: 'unmapped', ...of(found?.codes ?? codes.length, codes, found?.codes) });
  // Records that only lack an id are in `unmapped` above, with the hint for that.
  const invalid = counts.invalid - onlyCodes;
  if (invalid > 0 && (others.length > 0 || codes.length === 0))
    troubles.push({ kind: 'invalid', ...of(invalid, others, found?.others) });
  if (counts.blocked > 0 && parent !== null)
    troubles.push({
      ...ABSENT,
      kind: 'blocked',
      subject: { entity: name },
      count: counts.blocked,
      sampleKeys: records.map(({ key }) => key),
      ...ofParent(parent, run),
      records,
      causes,
    });
  return troubles;
}

function slow({ name, state: { source, lastSweepAt } }: EntityFacts): Trouble[] {
  const reading = source?.reading?.slow;
  return reading
    ? [{ ...ABSENT, kind: 'slow', subject: { entity: name }, since: lastSweepAt, ...reading }]
    : [];
}

function drifted({ name, state: { drift } }: EntityFacts): Trouble[] {
  return drift === undefined ? [] : [{ ...ABSENT, kind: 'drifted', subject: { entity: name }, ...drift }];
}

function deferred({ name, counts, deferral }: EntityFacts, byWorker: boolean): Trouble[] {
  if (counts === null || counts.deferred === 0) return [];
  const { since = null, error: message = null, statusCode = null } = deferral ?? {};
  const conflict = statusCode !== null && (statusCode === 409 || statusCode < 300) ? statusCode : null;
  const subject = { entity: name };
  const count = counts.deferred;
  return [{ ...ABSENT, kind: 'deferred', subject, count, since, message, conflict, byWorker }];
}

/** Whether an entity with this error was not read by the run: its counters of the source mean nothing. */
export function isUnread(error: { readonly code: string } | null): boolean {
  return error !== null && !stopsArea(error.code);
}
