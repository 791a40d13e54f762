import type { Area } from '../../domain/names.js';
import type { EntityQuery, Source, SourceRow } from '../../ports/source.js';
import type { DoctorEntity } from './doctor-entity.js';
import type { AreaFacts, StateFacts } from './facts.js';
import type { Learned } from './learned.js';

/** What doctor needs from outside; composed in cli. */
export interface DoctorPorts {
  readonly source: Source;
  /** The partner's SQL without its semicolon; SyncError for one that is not one SELECT. */
  readonly prepareQuery: (query: EntityQuery) => string;
  /** The state of the ledger, without changing anything. */
  readonly readState: () => Promise<Learned<StateFacts>>;
  /** The platform ids of applications by the rows' keys; null: not in the inbox. */
  readonly findApplications: (
    entity: DoctorEntity,
    rows: readonly SourceRow[],
  ) => Promise<Learned<ReadonlyMap<string, string | null>>>;
  /** One Find of each kind of the area, with an id that nobody has. */
  readonly tryArea: (area: Area) => Promise<AreaFacts>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Does a part of the work, and shows meanwhile what it is. */
  readonly during: <T>(work: string, task: () => Promise<T>) => Promise<T>;
}
