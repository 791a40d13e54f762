import type { EntityName } from '../domain/names.js';
import type { Issue } from '../domain/issue.js';
import type { JsonObject, Row } from '../domain/row.js';
import type { EntityContract } from '../contract/operation.js';
import type { Lookup } from './lookup.js';
import type { ReadBack } from './read-back.js';
import type { Zones } from './values.js';

/** One column of an entity's row contract. */
export interface Column {
  readonly name: string;
  readonly required?: true;
  /** The body's path that the column fills, for messages: `region.id`. */
  readonly field?: string;
  readonly description: string;
  /** Whether a lookup may be configured for it. */
  readonly lookup?: true;
  /** Its numbers and booleans keep their type: the field takes any value, or text is read more strictly than numbers. */
  readonly typed?: true;
  /** The object of the body that it is part of is absent without it. */
  readonly whole?: true;
  /** The worker fills it in where the row has no value. */
  readonly completed?: true;
}

/** What a map may see beside the row: the entity's own settings, by content. */
export interface MapContext {
  /** By column name. */
  readonly lookups: Readonly<Record<string, Lookup>>;
  /** The UUIDs of the platform's reference data, by column; absent: none is doubted. */
  readonly knownIds?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Columns whose HTML becomes plain text. */
  readonly plainText: readonly string[];
  /** Columns that must not be absent, beyond key, parent key and name or title; null = the entity's assumption. */
  readonly required: readonly string[] | null;
  /** Fields that the interface does not list, by dotted path of the body; value: the column. Absent: none. */
  readonly extraFields?: Readonly<Record<string, string>>;
  /** What becomes of absent values, by column. Absent: what the interface says of each field. */
  readonly absent?: Readonly<Record<string, 'omit' | null>>;
  /** Of dates and times. Absent: every text is taken as local time of the platform. */
  readonly zones?: Zones;
  /** `YYYY-MM-DD` in the platform's zone, to see which days are past; absent: none is. */
  readonly today?: string;
  /** UUID: namespace of platform ids made from keys that are no UUIDs. */
  readonly namespace: string;
}

/** What mapping a row gives: always the key's derivations; a payload only when there is no issue. */
export interface Mapped {
  /** The request body without the parent object, which is composed when sending; null when there are issues. */
  readonly payload: JsonObject | null;
  /** Platform id of the parent record, null for an entity without one. */
  readonly parentPlatformId: string | null;
  /** Each makes the record `invalid`. */
  readonly issues: readonly Issue[];
  /** Worth a warning; the record is sent anyway. */
  readonly warnings: readonly Issue[];
}

/** How a child names its parent: the row's column, the parent's entity, the body's field it is put into. */
export interface ParentLink {
  readonly entity: EntityName;
  readonly column: string;
  readonly field: string;
}

/** Everything the project knows about one kind of record. One file each, listed in `registry.ts`. */
export interface Entity extends EntityContract {
  /** For people, in each language of the dashboard. */
  readonly titles: { readonly en: string; readonly id: string };
  /** Of its block in the configuration. */
  readonly description: string;
  readonly parent: ParentLink | null;
  /** How records are read back; null: the platform has no Find of them. */
  readonly readBack: ReadBack | null;
  /** The body's field that says whether a record is open; `onVanished: close` sets it. Null: cannot be closed. */
  readonly statusField: string | null;
  /** The column, and field of the body, with the last day of a record that ends by itself; null: it does not. */
  readonly lastDay: string | null;
  readonly columns: readonly Column[];
  /** Columns of a version before, and what to write in their place. */
  readonly gone?: { readonly columns: readonly string[]; readonly instead: string };
  /** Columns that are required unless the configuration names others (assumed, interface §2 gaps). */
  readonly assumedRequired: readonly string[];
  /** Raised when `map` gives another payload for the same row, so that everything is mapped again. */
  readonly mapVersion: number;
  /**
   * False: the operation is not known to be repeatable (PATCH). Such a record has a lane of its own in front of all
   * others; a request without reply is repeated under its own Request-Id and not confirmed; its payload is dropped
   * once it is acknowledged.
   */
  readonly repeatable: boolean;
  /**
   * True: a record is about a job application, whose id is its key. One whose application is not in the inbox is foreign;
   * the query may list only recent ones. Its values and the platform's messages are personal data.
   */
  readonly application: boolean;
  /**
   * Completes a valid payload with what only a sweep knows. `noted`: what this returned for the record before; `now`:
   * `YYYY-MM-DD HH:MM:SS` in the platform's zone. Absent: nothing to complete.
   */
  complete?(
    payload: JsonObject,
    noted: JsonObject | null,
    now: string,
  ): { readonly payload: JsonObject; readonly noted: JsonObject | null };
  /** Never throws for a bad row: it returns issues. */
  map(row: Row, context: MapContext): Mapped;
}
