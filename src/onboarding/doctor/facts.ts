import type { Area, EntityName } from '../../domain/names.js';
import type { Reply } from '../../domain/reply/reply.js';
import type { ReplyRule } from '../../domain/reply/reply-rules.js';
import type { Catalog, CatalogTable } from '../catalog/catalog.js';
import type { DoctorEntity } from './doctor-entity.js';
import type { Learned } from './learned.js';
import type { RepeatedScan } from './repeated-scans.js';
import type { RowFacts } from './rows/row-facts.js';
import type { QueryShape } from './sql/query-shape.js';

/** The settings that checks look at. */
export interface DoctorSettings {
  readonly source: {
    readonly url: string;
    /** Of timestamps without zone; null: not set. */
    readonly timeZone: string | null;
    /** Null: the server's own. */
    readonly sessionTimeZone: string | null;
    readonly rowSecurity: 'refuse' | 'allow';
    readonly statementTimeoutMs: number;
  };
  readonly platformTimeZone: string;
  /** Percent of the records of an entity that may be invalid. */
  readonly maxInvalidPercent: number;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
}

/** Server, role and tables of the source. */
export interface SourceFacts extends Catalog {
  /** How far its clock is ahead of ours, milliseconds. */
  readonly clockAheadMs: number;
  /** Of a replica: whether it cancels long reads. */
  readonly cancelsReads: boolean;
  /** Whether the role may change data in tables of the database; the first of them. */
  readonly writable: readonly string[];
}

export interface StateFacts {
  /** Why run would not begin: no tables, older or newer tables. Null: nothing. */
  readonly unmigrated: string | null;
  /** Of tables that are missing: whether the role may make them; null: not asked. */
  readonly mayCreate: boolean | null;
  /** What differs between the configured platform and the one of the ledger. */
  readonly differences: readonly string[];
}

/** One harmless Find with an id that nobody has. */
export interface TriedFind {
  readonly entity: EntityName;
  readonly operation: string;
  readonly reply: Reply;
}

export interface AreaFacts {
  readonly area: Area;
  readonly baseUrl: string;
  readonly rules: readonly ReplyRule[];
  readonly finds: readonly TriedFind[];
  /** Why no Find was sent; null: some were. */
  readonly untried: string | null;
}

/** A column that the query returns. */
export interface ResultColumn {
  readonly name: string;
  /** As SQL shows it: `character varying(40)`. */
  readonly type: string;
}

/** What EXPLAIN says of the version pass and of the row pass. */
export interface PlanFacts {
  readonly tables: readonly CatalogTable[];
  readonly scans: readonly RepeatedScan[];
}

/** A column of a table that looks like publication or deletion, and what stands in it. */
export interface FlagColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Its values with their numbers of rows; null: not read, or too many. */
  readonly values: readonly { readonly value: string | null; readonly count: number }[] | null;
}

/** What joins leave out, and which parts of the query could not be looked at. */
export interface JoinFacts {
  readonly losses: readonly JoinLoss[];
  readonly unseen: readonly string[];
}

/** A join that leaves rows of the base table out. */
export interface JoinLoss {
  readonly base: string;
  readonly join: string;
  /** Whatever the query may call what is joined. */
  readonly names: readonly string[];
  /** Tables with commas between them, or CROSS JOIN. */
  readonly isList: boolean;
  readonly count: number;
  readonly sample: readonly string[];
}

/** A column with the last day of a record, of a type whose day depends on the time zone. */
export interface DayFacts {
  readonly column: string;
  readonly count: number;
  readonly sample: readonly string[];
  readonly zones: readonly [string, string];
}

/** What depends on the session's time zone. */
export interface ZoneFacts {
  readonly columns: readonly string[];
  /** Whether the zone decides which rows there are. */
  readonly isSelective: boolean;
  /** Rows that differ between these zones, and keys of some. */
  readonly zones: readonly [string, string];
  readonly count: number;
  readonly sample: readonly string[];
}

export interface EntityFacts {
  readonly entity: DoctorEntity;
  readonly shape: QueryShape;
  readonly columns: Learned<readonly ResultColumn[]>;
  readonly plan: Learned<PlanFacts>;
  readonly flags: Learned<readonly FlagColumn[]>;
  readonly losses: Learned<JoinFacts>;
  readonly day: Learned<DayFacts | null>;
  /** Null: nothing depends on the session's zone. */
  readonly zones: Learned<ZoneFacts | null>;
  /** Whether two plans gave the same rows. */
  readonly stable: Learned<boolean>;
  readonly rows: Learned<RowFacts>;
}

/** All of an entity but its rows. */
export type EntityInspection = Omit<EntityFacts, 'rows'>;

export interface DoctorFacts {
  readonly settings: DoctorSettings;
  readonly source: Learned<SourceFacts>;
  readonly state: Learned<StateFacts>;
  readonly areas: readonly AreaFacts[];
  readonly entities: readonly EntityFacts[];
}
