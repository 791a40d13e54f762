import type { OperationName } from './contract/operation.js';
import type { AreaLimits } from './domain/area-condition.js';
import type { Emit } from './domain/events.js';
import type { GuardLimits, VanishedSettings } from './domain/guard.js';
import type { Area, EntityName } from './domain/names.js';
import type { OwnBlocks } from './domain/reply/reply-rules.js';
import type { Entity, MapContext } from './entities/entity.js';
import { entity as entityNamed } from './entities/index.js';
import type { Clock } from './ports/clock.js';
import type { Platform, RateLimit } from './ports/platform.js';
import type { EntityQuery, Source } from './ports/source.js';
import type { Trouble } from './domain/trouble/trouble.js';
import type { CoreState } from './ledger/core-state.js';

/** What the job asks of the features beside it: which applications are known, and what is past its retention. */
export interface RunState extends CoreState {
  readonly inbox: {
    knownApplications(applicationIds: readonly string[]): Promise<ReadonlySet<string>>;
    resolveVacancyKeys(): Promise<unknown>;
    prune(retentionMs: number, journalMs: number): Promise<unknown>;
  };
  readonly deliveries: { prune(retentionMs: number): Promise<unknown> };
  readonly operatorActions: { prune(retentionMs: number): Promise<unknown> };
}

/** What every use case works with: the configuration, and everything outside that it touches. */
export interface RunContext {
  readonly settings: RunSettings;
  /** The entities of this work, parents first. */
  readonly entities: readonly ConfiguredEntity[];
  /** The same with the lookups as their files are now; left out: they stay as they are. Never rejects. */
  readonly presentEntities?: () => Promise<readonly ConfiguredEntity[]>;
  readonly source: Source;
  readonly state: RunState;
  /** A trouble as a warning: what is wrong, and what to do. */
  readonly describe: (trouble: Trouble) => { readonly message: string; readonly hint: string };
  readonly platform: (area: Area) => Platform;
  /** `notBefore`: monotonic time before which nothing may be sent, because an earlier push may just have ended. */
  readonly rateLimit: (area: Area, notBefore: number) => RateLimit;
  /** The share of the rate for reading back. `within`: the limit of a push beside it, so that both keep the rate. */
  readonly readBackRateLimit: (area: Area, within?: RateLimit) => RateLimit;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Names this process to another one that finds the lease taken: `host pid 123 run <id>`. */
  readonly holder: string;
  /** Aborts when the process must end. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly newId: () => string;
}

/** What a run needs to know of the configuration: its settings under their own names, and the areas that are used. */
export interface RunSettings {
  readonly guards: GuardLimits & {
    readonly maxRejectedInARow: number;
    readonly maxSameRefusals: number;
    /** Left out: false. */
    readonly requireReason?: boolean;
  };
  readonly sweep: { readonly fullEveryMs: number };
  /** Left out: a replica may be any time behind. */
  readonly source?: { readonly maxReplicaLagMs: number | null };
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
    /** Of application statuses; null: for ever. */
    readonly statusRetentionMs?: number | null;
  };
  /** `retentionMs`: how long received applications are kept. */
  readonly webhook: { readonly retentionMs: number };
}

export interface RetrySettings extends AreaLimits {
  readonly maxAttempts: number;
  readonly maxDelayMs: number;
  /** How long a command that sends tries again what is deferred. */
  readonly runForMs: number;
}

export interface AreaSettings {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Which operations may be used; left out: those that are on by default. */
  readonly operations?: Readonly<Partial<Record<OperationName, { readonly enabled?: boolean | undefined }>>>;
  /** Blocks of `platform` that the area has of its own; left out: none. */
  readonly own?: OwnBlocks;
}

/** The time-out of an entity's area, milliseconds; the longest of all for an area that is not used. */
export function timeoutOf({ areas }: Pick<RunSettings, 'areas'>, entity: EntityName): number {
  const longest = () => Math.max(...Object.values(areas).map(({ timeoutMs }) => timeoutMs));
  return areas[entityNamed(entity).area]?.timeoutMs ?? longest();
}

/** An entity of the registry together with everything that the partner configured for it. */
export interface ConfiguredEntity extends Entity, VanishedSettings {
  readonly query: EntityQuery;
  readonly mapContext: MapContext;
  /** Application statuses: sends only those whose application came by webhook. */
  readonly requireInbox: boolean;
  /** Unchanged records are sent again when older than this, milliseconds; null: never. */
  readonly refreshAfterMs: number | null;
  /** `settleAfter` of its parent's entity, milliseconds; absent: 0. */
  readonly parentSettleMs?: number;
  readonly fingerprint: string;
}
