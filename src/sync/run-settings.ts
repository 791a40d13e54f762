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
  /** How long runs and vanished records are kept. */
  readonly retentionMs: number;
  /** How long received applications are kept. */
  readonly inboxRetentionMs: number;
}
