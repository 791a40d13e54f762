/**
 * One value of the extractor query as the source hands it over: text as Postgres prints it, except arrays and
 * JSON columns, which come parsed. Booleans are `true` or `false` as text; char(n) comes without its padding;
 * timestamps with zone are local time of `platform.timeZone` (`2026-01-31 08:00:00+07`), and timestamps without
 * zone were read in `source.timeZone` and come in the same form. Of a column that was asked for as `typed`, numbers and
 * booleans come as such.
 */
export type RowValue = JsonValue;

/** What the extractor query returns for one record. A column that the query does not have is missing here. */
export type Row = Readonly<Record<string, RowValue>>;

type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Stands in a row for an array or JSON that was not read, because it is too long: to read it would hold up everything else. */
export const UNREAD: JsonObject = Object.freeze({});

/** Longest array or JSON that is read, characters. */
export const LONGEST_JSON = 2_000_000;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
