import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { EntityName } from '../../../src/core/domain/names.js';
import type { JsonObject } from '../../../src/core/domain/row.js';

/** The databases that the tests connect, each a folder of `test/features/init/schemas`. */
export const SCHEMAS = ['portal', 'codes', 'public-sector', 'catalogue', 'erp', 'abroad'] as const;
export type SchemaName = (typeof SCHEMAS)[number];

/** What an engineer changes in a drafted query. */
export interface QueryDecisions {
  /** Column of the interface → expression. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Further joins. */
  readonly joins?: string;
  /** The conditions, in place of those that are to be decided. */
  readonly where: readonly string[];
  /** Per column, ids of drafted codes for which the queries written by hand need no lookup. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What an engineer decides who connects a database, as data. */
export interface Decisions {
  /** The table that has the records of each entity. */
  readonly tables: Readonly<Record<EntityName, string>>;
  /** Tables of people: the reader has no right to them. */
  readonly people: readonly string[];
  /** What the database's administrator executes for the role `reader`. */
  readonly database?: readonly string[];
  /** Settings, merged into the configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What becomes of the queries that `init` drafts. */
  readonly drafts: Readonly<Record<EntityName, QueryDecisions>>;
  /** The SELECT of each entity as an engineer writes it without a draft. */
  readonly queries: Readonly<Record<EntityName, string>>;
  /**
   * Per file, code → id, `-` or a word. An id may be written as `industries/trading`: the row with this code in
   * `config/reference`.
   */
  readonly lookups: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Bodies by entity and key. Of a parent object (`employer`, `institution`) only the parent's key is written. */
export type ExpectedRecords = Readonly<Record<EntityName, Readonly<Record<string, JsonObject>>>>;

export interface SchemaFiles {
  readonly tables: string;
  readonly data: string;
  readonly decisions: Decisions;
  readonly expected: ExpectedRecords;
}

export function readSchemaFiles(name: SchemaName): SchemaFiles {
  const read = (file: string) => readFileSync(join(import.meta.dirname, 'schemas', name, file), 'utf8');
  return {
    tables: read('schema.sql'),
    data: read('data.sql'),
    decisions: parse(read('decisions.yaml')) as Decisions,
    expected: JSON.parse(read('expected.json')) as ExpectedRecords,
  };
}
