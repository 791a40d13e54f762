import type { Area } from '../../domain/area.js';
import type { RunSettings } from '../run-settings.js';

/**
 * How long after a doubt was noted a request of before may still arrive, milliseconds: so long its process may go on,
 * and its last request be on its way.
 */
export function doubtGraceMs(area: Area, settings: Pick<RunSettings, 'areas' | 'leaseTtlMs'>): number {
  return settings.leaseTtlMs + 2 * (settings.areas[area]?.timeoutMs ?? 0);
}
