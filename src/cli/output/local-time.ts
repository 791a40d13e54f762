/** The zone of this process: a fleet has none of its own, its tenants may be in several. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Zone in which times of the fleet are shown: that of the national platform. */
export const FLEET_TIME_ZONE = 'Asia/Jakarta';
