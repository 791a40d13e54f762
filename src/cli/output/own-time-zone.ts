/** The zone of this process: a fleet has none of its own, its tenants may be in several. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
