import type { Area } from '../domain/area.js';
import type { AreaSettings, PushSettings } from './push/push-area.js';
import type { SweepSettings } from './sweep/sweep-entity.js';

/** What a run needs to know of the configuration. */
export interface RunSettings {
  readonly sweep: SweepSettings;
  readonly push: PushSettings;
  /** Configured areas. */
  readonly areas: Partial<
    Record<Area, AreaSettings & { readonly baseUrl: string; readonly clientId: string }>
  >;
  readonly namespace: string;
  readonly leaseTtlMs: number;
  readonly retentionMs: number;
}
