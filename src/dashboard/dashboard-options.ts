import type { Emit } from '../core/domain/events.js';
import type { Clock } from '../core/ports/clock.js';
import type { Source } from '../core/ports/source.js';
import type { State } from '../features/create-state.js';
import type { EntityName } from '../core/domain/names.js';
import type { LookOutcome } from '../features/verify/verify-records.js';
import type { ConfiguredEntity, RunSettings } from '../core/context.js';
import type { AreaWatch } from '../features/notices/area-watch.js';
import type { AdmissionSettings } from './access.js';

export interface DashboardOptions extends AdmissionSettings {
  /**
   * For pages; the signal aborts when the caller leaves. It has few connections and short time limits, so that pages
   * do not slow the sync.
   */
  readonly stateUntil: (signal: AbortSignal) => State;
  /** For the buttons: an action goes on when its caller leaves. */
  readonly actingState: State;
  /** For `explain`; also with short time limits. */
  readonly source: Source;
  /** Its database; null or left out: not known. */
  readonly sourceName?: string | null;
  /** Whether records of an entity can be read back. */
  readonly canLook: (entity: EntityName) => boolean;
  /** Reads one record back from the platform now. */
  readonly look: (entity: EntityName, key: string) => Promise<LookOutcome>;
  readonly entities: readonly ConfiguredEntity[];
  /** Of `RunContext`. */
  readonly presentEntities?: () => Promise<readonly ConfiguredEntity[]>;
  readonly settings: RunSettings;
  readonly watch: AreaWatch;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly emit: Emit;
  /** `host pid 123` of this process, as it stands in the leases. */
  readonly holder: string;
  readonly version: string;
  /** `http.admin.runbookUrl` */
  readonly runbookUrl: string | null;
  /** Zone in which times are shown. */
  readonly timeZone: string;
  /** `notify.staleAfter` */
  readonly staleAfterMs: number;
  readonly receivesWebhooks: boolean;
}
