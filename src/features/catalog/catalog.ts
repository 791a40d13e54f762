import { counted } from '../../core/domain/text.js';

/** What a value of a column is, whatever its name: domains count as their base type. */
export type ValueKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'uuid'
  | 'json'
  | 'enum'
  | 'array'
  | 'bytes'
  | 'range'
  | 'other';

export interface CatalogColumn {
  readonly name: string;
  /** As SQL has to write it: quoted where needed. */
  readonly sqlName: string;
  /** As SQL shows it: `character varying(40)`, `hr.state`. */
  readonly type: string;
  readonly kind: ValueKind;
  /** Of an array's elements; null: no array. */
  readonly elementKind: ValueKind | null;
  readonly nullable: boolean;
  /** Made by the database, of other columns. */
  readonly generated: boolean;
  /** Labels of an enum (also of its arrays), in their order; null: no enum. */
  readonly enumLabels: readonly string[] | null;
  /** Literals of its CHECK constraint or its domain's; null: no list of values. */
  readonly checkValues: readonly string[] | null;
  /** Whether the role may read it. */
  readonly selectable: boolean;
  /** Different values by the statistics: a number, or a negated share of the rows; null: never analysed. */
  readonly distinct: number | null;
  /** Share of nulls by the statistics, 0 to 1; null: never analysed. */
  readonly nullShare: number | null;
  /** Whether all rows of a sample have 0 or 1; absent: not looked at. */
  readonly flag?: boolean;
  /** Whether its values are words of states: open, tutup, batal; absent: not looked at. */
  readonly states?: boolean;
  /** Whether its values say how work is done: on site, remote, hybrid; absent: not looked at. */
  readonly modes?: boolean;
  /** What its comment says of its values: `0 = tidak aktif, 1 = aktif`; absent: nothing. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** What `sqlName` makes of the stored value and why, for a person to decide; absent: nothing. */
  readonly made?: string;
}

/** A table, view, materialised view, partitioned table (as one) or foreign table. */
export interface CatalogTable {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As SQL has to write it, with its schema: the statements about it look no name up. */
  readonly sqlName: string;
  /** As people know it: without its schema, if that is `public` and the role finds the table by its name alone. */
  readonly title: string;
  readonly kind: 'table' | 'view' | 'materialised-view' | 'partitioned-table' | 'foreign-table';
  readonly comment: string | null;
  /**
   * Number of rows: counted where `exact`, else the estimate of the statistics. Null: unknown (a view, a table that
   * may not be read).
   */
  readonly rows: number | null;
  readonly exact: boolean;
  readonly columns: readonly CatalogColumn[];
  readonly primaryKey: readonly string[] | null;
  /** Of a table without a key: a column whose values were all there and all different in a sample; absent: none is known. */
  readonly measuredKey?: string;
  /** Columns of its unique constraints and of unique indexes without condition, the primary key first. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
  readonly rowSecurity: {
    /** Whether policies limit what this role sees. */
    readonly applies: boolean;
    /** With their USING; null: none. */
    readonly policies: readonly { readonly name: string; readonly expression: string | null }[];
  };
  /** Whether the role may read at least one column. */
  readonly selectable: boolean;
}

export interface CatalogServer {
  readonly versionNumber: number;
  readonly database: string;
  readonly role: string;
  readonly superuser: boolean;
  /** Zone of a session that sets none. */
  readonly timeZone: string;
  readonly encoding: string;
  readonly replica: boolean;
  readonly encrypted: boolean;
}

/** A column that no foreign key covers, and the column of another table whose values it may have. Tables by oid. */
export interface TestedLink {
  readonly from: number;
  readonly column: string;
  readonly to: number;
  readonly toColumn: string;
  /** Different values of a sample, and how many of them the other column has. */
  readonly values: number;
  readonly found: number;
}

/** Tables of a database with very many that were not looked at. */
export interface LeftOut {
  readonly tables: number;
  /** The first of their schemas; `more`: and others. */
  readonly schemas: readonly string[];
  readonly more: boolean;
}

/** What a database says about its tables. Holds no value of any row. */
export interface Catalog {
  readonly server: CatalogServer;
  readonly tables: readonly CatalogTable[];
  /** Null or absent: all tables are there. */
  readonly leftOut?: LeftOut | null;
  /** What a look at values said about links without foreign key; absent: nobody looked. */
  readonly tested?: readonly TestedLink[];
}

export interface ForeignKey {
  readonly columns: readonly string[];
  /** Oid of the table that it names. */
  readonly to: number;
  readonly toColumns: readonly string[];
}

interface Index {
  /** In their order; null: an expression. */
  readonly columns: readonly (string | null)[];
  /** Whether it has a WHERE. */
  readonly partial: boolean;
}

export function columnOf(
  { columns }: Pick<CatalogTable, 'columns'>,
  name: string | undefined,
): CatalogColumn | undefined {
  return columns.find((column) => column.name === name);
}

/** `1,234 rows`, for people. */
export function rowsText({ rows }: Pick<CatalogTable, 'rows'>): string {
  return rows === null ? 'rows not counted' : counted(Math.round(rows), 'row');
}

/** Whether no value of the column comes twice, by a constraint or an index. */
export function isUnique({ uniqueKeys }: Pick<CatalogTable, 'uniqueKeys'>, column: string): boolean {
  return uniqueKeys.some((columns) => columns.length === 1 && columns[0] === column);
}

/** Columns with a foreign key, alone or with others. */
export function foreignColumns({ foreignKeys }: Pick<CatalogTable, 'foreignKeys'>): ReadonlySet<string> {
  return new Set(foreignKeys.flatMap(({ columns }) => columns));
}

/** Whether a value is a day or a time. */
export function isTime(kind: ValueKind): boolean {
  return ['date', 'timestamp', 'timestamptz'].includes(kind);
}

/** Control characters, line and paragraph separators, and marks that turn the direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A name as SQL has to write it, on one line: a name with a line feed or another control character is written with its
 * codes, so that it can stand in a comment too.
 *
 * @param quoted what `quote_ident` makes of it
 */
export function oneLineName(quoted: string): string {
  if (quoted.search(UNSEEN) < 0) return quoted;
  const codes = quoted
    .replaceAll('\\', '\\\\')
    .replace(UNSEEN, (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `U&${codes}`;
}
