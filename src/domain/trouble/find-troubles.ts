import { entityTroubles } from './entity-troubles.js';
import { areaTroubles } from './area-troubles.js';
import type { Trouble } from './trouble.js';
import type { TroubleFacts } from './trouble-facts.js';

/**
 * What is wrong, the most pressing first: the one list that exit code, summary, `status`, dashboard, notices and metrics
 * show. Pure.
 */
export function findTroubles(facts: TroubleFacts): readonly Trouble[] {
  return possibleTroubles(facts).filter((trouble) => hasLasted(trouble, facts.now));
}

/** Also those that have not lasted long enough to be a trouble. Pure. */
export function possibleTroubles(facts: TroubleFacts): readonly Trouble[] {
  const areas = areaTroubles(facts);
  return [
    ...runTroubles(facts),
    ...areas,
    ...inDoubt(facts),
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
