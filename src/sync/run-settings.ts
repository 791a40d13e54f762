import type { Area, EntityName } from '../domain/names.js';
import type { GuardLimits } from '../domain/guard.js';
import type { AreaLimits } from '../domain/area-condition.js';
import type { OwnBlocks } from '../domain/reply/reply-rules.js';
import type { ReplySettings } from '../domain/reply/reply.js';
import { entity as entityNamed } from '../entities/index.js';

/** What a run needs to know of the configuration: its settings under their own names, and the areas that are used. */
export interface RunSettings {
  readonly guards: GuardLimits & { readonly maxRejectedInARow: number };
  readonly sweep: { readonly fullEveryMs: number };
  readonly retry: RetrySettings;
  /** The platform's zone, in which last days are meant. */
  readonly platform: { readonly timeZone: string };
  /** Only areas that a configured entity belongs to. */
  readonly areas: Partial<Record<Area, AreaSettings>>;
  readonly ids: { readonly namespace: string };
  /** How long are kept: runs and vanished records (`retentionMs`), the journal (`deliveryRetentionMs`). */
  readonly state: {
    readonly leaseTtlMs: number;
    readonly retentionMs: number;
    readonly deliveryRetentionMs: number;
  };
  /** `retentionMs`: how long received applications are kept. */
  readonly webhook: { readonly retentionMs: number };
}

export interface RetrySettings extends AreaLimits {
  readonly maxAttempts: number;
  readonly maxDelayMs: number;
}

export interface AreaSettings {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** How replies are read and judged; left out: the defaults. */
  readonly replies?: Pick<ReplySettings, 'judge' | 'reference'>;
  /** Blocks of `platform` that the area has of its own; left out: none. */
  readonly own?: OwnBlocks;
}

/** The time-out of an entity's area, milliseconds; the longest of all for an area that is not used. */
export function timeoutOf({ areas }: Pick<RunSettings, 'areas'>, entity: EntityName): number {
  const longest = () => Math.max(...Object.values(areas).map(({ timeoutMs }) => timeoutMs));
  return areas[entityNamed(entity).area]?.timeoutMs ?? longest();
}
