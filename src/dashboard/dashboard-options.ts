import type { AreaWatch } from '../features/notices/area-watch.js';
import type { EntityName } from '../core/domain/names.js';
import type { AppContext, State } from '../features/create-state.js';
import type { LookOutcome } from '../features/verify/verify-records.js';
import type { AdmissionSettings } from './access.js';

export interface DashboardOptions extends AdmissionSettings {
  /**
   * The worker's, with connections that are not those of its sync: a source with short time limits, for `explain`, and a
   * state for the buttons, whose actions go on when their caller leaves.
   */
  readonly context: AppContext;
  /**
   * For pages; the signal aborts when the caller leaves. It has few connections and short time limits, so that pages
   * do not slow the sync.
   */
  readonly stateUntil: (signal: AbortSignal) => State;
  /** The database of the source; null or left out: not known. */
  readonly sourceName?: string | null;
  /** Whether records of an entity can be read back. */
  readonly canLook: (entity: EntityName) => boolean;
  /** Reads one record back from the platform now. */
  readonly look: (entity: EntityName, key: string) => Promise<LookOutcome>;
  readonly watch: AreaWatch;
  readonly version: string;
  /** `http.admin.runbookUrl` */
  readonly runbookUrl: string | null;
  /** `notify.staleAfter` */
  readonly staleAfterMs: number;
  readonly receivesWebhooks: boolean;
}
