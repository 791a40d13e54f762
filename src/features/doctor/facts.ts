import type { Area, EntityName } from '../../core/domain/names.js';
import type { Reply } from '../../core/domain/reply/reply.js';
import type { Source, SourceRow } from '../../core/ports/source.js';
import type { ReadOnlyState } from '../../core/ledger/database/read-only.js';
import type { Catalog, CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import type { References } from '../init/guess-ids.js';
import type { DoctorEntity, Fact } from './finding.js';
import type { RowFacts } from './rows/row-tally.js';

/**
 * What doctor knows before it judges. Readers (`read/`, `rows/`) fill the facts, checks (`checks/`) judge them. A
 * fact that cannot be read has its cause instead, and ends no other.
 */

export interface DoctorFacts {
  readonly settings: DoctorSettings;
  readonly source: Fact<SourceFacts>;
  readonly state: Fact<StateFacts>;
  readonly areas: readonly AreaFacts[];
  readonly entities: readonly EntityFacts[];
}

/** Server, role and tables of the source. */
export interface SourceFacts extends Catalog {
  /** Whether the role may change data in tables of the database; the first of them. */
  readonly writable: readonly string[];
}

export interface StateFacts {
  /** Why run would not begin: no tables, older or newer tables. Null: nothing. */
  readonly unmigrated: string | null;
  /** Why the database cannot hold a ledger, and what to do; null: it can. */
  readonly unfit?: { readonly message: string; readonly hint: string } | null;
  /** Of tables that are missing: whether the role may make them; null: not asked. */
  readonly mayCreate: boolean | null;
  /** What differs between the configured platform and the one of the ledger. */
  readonly differences: readonly string[];
  /** Why it cannot be written; null or left out: it can, or it was not asked. */
  readonly readOnly?: ReadOnlyState | null;
}

export interface AreaFacts {
  readonly area: Area;
  readonly baseUrl: string;
  readonly finds: readonly TriedFind[];
  /** Why no Find was sent; null: some were. */
  readonly untried: string | null;
  /** The partner's module, or why it cannot be used; null: none. */
  readonly adapter: AdapterFacts | null;
  /** What is shown to the platform, or why it cannot be; null: none is configured. */
  readonly clientCertificate: ClientCertificateFacts | null;
}

export type ClientCertificateFacts = { readonly file: string } & (
  { readonly name: string; readonly validTo: Date; readonly leftMs: number } | { readonly problem: string }
);

export type AdapterFacts = { readonly file: string } & (
  { readonly functions: readonly string[] } | { readonly problem: string }
);

/** One harmless Find with an id that nobody has. */
export interface TriedFind {
  readonly entity: EntityName;
  readonly operation: string;
  readonly reply: Reply;
}

export interface EntityFacts {
  readonly entity: DoctorEntity;
  readonly columns: Fact<readonly ResultColumn[]>;
  readonly kept: Fact<readonly KeptFlag[]>;
  readonly sources: Fact<SourceColumns>;
  readonly losses: Fact<readonly JoinLoss[]>;
  readonly rows: Fact<RowFacts>;
}

/** All of an entity but its rows. */
export type EntityInspection = Omit<EntityFacts, 'rows'>;

/** A column that the query returns. */
export interface ResultColumn {
  readonly name: string;
  /** As SQL shows it: `character varying(40)`. */
  readonly type: string;
}

/** A flag, state or time of a table in the query's FROM, and how many rows of each value the conditions keep. */
export interface KeptFlag {
  readonly table: string;
  /** As the query calls the table. */
  readonly alias: string;
  readonly column: CatalogColumn;
  /** About pay: its period, or whether it may be shown. */
  readonly says: 'state' | 'period' | 'hides' | 'shows';
  /** Whether the query takes it, or joins by it. */
  readonly isUsed: boolean;
  /** Of a time: `none`, `past`, `future`. */
  readonly values: readonly {
    readonly value: string | null;
    readonly kept: number;
    readonly leftOut: number;
    /** Rows that are kept and have pay. */
    readonly paid: number;
    /** Keys of rows that are kept, those with pay first. */
    readonly sample: readonly string[];
  }[];
}

/** What the query's columns are made of, and what it leaves unused. */
export interface SourceColumns {
  readonly columns: readonly ReadColumn[];
  readonly scores: readonly TableScores[];
  /** Columns that fit the contract and that the query does not name. */
  readonly unused: readonly UnusedColumn[];
  /** Whether the outermost SELECT makes one row of several: DISTINCT, GROUP BY. */
  readonly isGrouped: boolean;
  readonly tables: readonly CatalogTable[];
  /** What the server refused to count, and why: `hr.job_ad: it took too long`. */
  readonly refused: readonly string[];
}

/** A column of the result. */
export interface ReadColumn {
  readonly name: string;
  readonly sql: string;
  /** `joins`: it only names the row of the table that another one is from. */
  readonly sources: readonly {
    readonly table: CatalogTable;
    readonly column: CatalogColumn;
    readonly joins: boolean;
  }[];
}

/** What a column is worth, by its name and type, for a column of the contract. */
export interface TableScores {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
  readonly target: string;
  readonly score: number;
}

export interface UnusedColumn {
  readonly table: CatalogTable;
  /** As the query calls the table. */
  readonly alias: string;
  readonly column: CatalogColumn;
  /** Share of the rows that the query keeps. */
  readonly filled: number;
  readonly distinct: number;
  /** It is called like the parent: `perusahaan` of a vacancy. */
  readonly namesParent: boolean;
  /** Its values where they are few, and nothing of people. */
  readonly words: readonly string[];
}

/** Joins that leave rows of the base table out. */
export interface JoinLoss {
  readonly base: string;
  readonly joins: readonly string[];
  /** Whatever the query may call what is joined. */
  readonly names: readonly string[];
  readonly count: number;
  readonly sample: readonly string[];
}

/** The settings that checks look at. */
export interface DoctorSettings {
  readonly source: {
    readonly url: string;
    /** Of timestamps without zone; null: not set. */
    readonly timeZone: string | null;
    /** Null: the server's own. */
    readonly sessionTimeZone: string | null;
    readonly statementTimeoutMs: number;
  };
  readonly platformTimeZone: string;
  /** The platform's values, by column of the contract. */
  readonly references: References;
  /** Percent of the records of an entity that may be invalid. */
  readonly maxInvalidPercent: number;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
}

/** What doctor needs from outside; composed in cli. */
export interface DoctorPorts {
  readonly source: Source;
  /** The state of the ledger, without changing anything. */
  readonly readState: () => Promise<Fact<StateFacts>>;
  /** The platform ids of applications by the rows' keys; null: not in the inbox. */
  readonly findApplications: (
    entity: DoctorEntity,
    rows: readonly SourceRow[],
  ) => Promise<Fact<ReadonlyMap<string, string | null>>>;
  /** One Find of each kind of the area, with an id that nobody has. */
  readonly tryArea: (area: Area) => Promise<AreaFacts>;
  readonly signal: AbortSignal;
  /** Does a part of the work, and shows meanwhile what it is. */
  readonly during: <T>(work: string, task: () => Promise<T>) => Promise<T>;
}
