import { AREAS, type Area } from '../area.js';
import { ERROR_CODES } from '../errors.js';
import { leftIn } from './left-in.js';
import { stopMatters } from './stop-matters.js';
import type { Trouble } from './trouble.js';
import type { AreaFacts, StoppedArea, TroubleFacts } from './trouble-facts.js';

/** Troubles of the areas of the platform. Pure. */
export function areaTroubles(facts: TroubleFacts): Trouble[] {
  return AREAS.flatMap((area): Trouble[] => {
    const known = facts.areas.find((one) => one.area === area);
    const count = leftIn(facts, area);
    const found = known
      ? seen(withoutPast(known, facts.now)).filter(
          (one) => one.kind !== 'area-stopped' || stopMatters(one.code, count),
        )
      : reported(facts, area);
    return found.map((one) => ({ ...one, count }));
  });
}

const ABSENT = { count: null, sampleKeys: [], since: null, message: null, hint: null } as const;

/** Troubles that this process has seen, or that the state has stored. */
function seen({ area, stop, credentials, refusedCause }: AreaFacts): Trouble[] {
  const stopped = stop && stopTrouble(area, stop.code, stop);
  // A stop for another reason does not show that the platform accepts our credentials again.
  return credentials === 'refused' && stop?.code !== 'authentication-refused'
    ? [
        { ...ABSENT, kind: 'auth-refused', subject: { area }, retryAt: null, hint: refusedCause },
        ...(stopped ? [stopped] : []),
      ]
    : stopped
      ? [stopped]
      : [];
}

/** Without a pause that is over by now. */
function withoutPast(known: AreaFacts, now: Date): AreaFacts {
  const { stop } = known;
  return stop?.pausedUntil && stop.pausedUntil <= now
    ? { ...known, stop: { ...stop, pausedUntil: null } }
    : known;
}

/** Troubles from the run's report: the error is on each entity of the area, so the first one is taken. */
function reported({ run, entities }: TroubleFacts, area: Area): Trouble[] {
  for (const { name } of entities.filter((entity) => entity.area === area)) {
    const error = run?.entities[name]?.error;
    if (error && stopsArea(error.code)) return [stopTrouble(area, error.code, error)];
  }
  return [];
}

/** Codes whose hint names the likely cause; the other hints only say what every run does. */
const NAMES_CAUSE: readonly string[] = ['authentication-refused', 'redirected', 'reply-not-understood'];

function stopTrouble(
  area: Area,
  code: string,
  stop: { readonly message: string } & Partial<StoppedArea>,
): Trouble {
  const { message, retryAt = null, since = null, pausedUntil = null } = stop;
  const hint = NAMES_CAUSE.includes(code) ? (stop.hint ?? null) : null;
  const common = { ...ABSENT, subject: { area }, message, hint, retryAt, since };
  return code === 'authentication-refused'
    ? { ...common, kind: 'auth-refused' }
    : { ...common, kind: 'area-stopped', code, pausedUntil };
}

/** Whether an entity's error is about its area. */
export function stopsArea(code: string): boolean {
  return Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as keyof typeof ERROR_CODES] === 5;
}
