import type { Fault } from './reading.js';

/** In which zones the times of a row are. IANA names. */
export interface Zones {
  /** `source.timeZone`; null: nobody has said it. */
  readonly source: string | null;
  readonly platform: string;
}

/** The warning about a time without zone, where it decides what is sent; undefined: its zone is known. Pure. */
export function zonelessWarning(zones: Zones | undefined): Fault | undefined {
  if (zones?.source !== null) return undefined;
  return {
    code: 'zone',
    message: `has no time zone; it is read as local time of ${zones.platform}`,
    hint: 'Ask in which zone the application writes it, and set source.timeZone to that zone.',
  };
}
