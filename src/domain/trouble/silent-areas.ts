import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';

const HOUR_MS = 3_600_000;

/** What the platform answered within one hour for one entity. */
export interface AnsweredHour {
  readonly entity: EntityName;
  readonly hour: Date;
  readonly accepted: number;
  readonly rejected: number;
  readonly deferred: number;
}

/** Areas whose latest requests, within two hours, all failed; and how many. Pure. */
export function silentAreas(
  hours: readonly AnsweredHour[],
  now: Date,
  areaOf: (entity: EntityName) => Area | null,
): ReadonlyMap<Area, number> {
  const latest = new Map<Area, { at: number; answered: number; deferred: number }>();
  for (const { entity, hour, accepted, rejected, deferred } of hours) {
    const area = areaOf(entity);
    const at = hour.getTime();
    if (area === null || now.getTime() - at > 2 * HOUR_MS) continue;
    const known = latest.get(area);
    const base = known?.at === at ? known : known && known.at > at ? null : { at, answered: 0, deferred: 0 };
    if (base === null) continue;
    latest.set(area, {
      at,
      answered: base.answered + accepted + rejected,
      deferred: base.deferred + deferred,
    });
  }
  return new Map(
    [...latest].flatMap(([area, { answered, deferred }]) =>
      answered === 0 && deferred > 0 ? [[area, deferred] as const] : [],
    ),
  );
}
