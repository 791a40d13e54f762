/** An entity that must fill a column, for which the lookup therefore may not leave a field out. */
export interface DashRefusal {
  readonly entity: string;
  readonly column: string;
  /** What to write into the configuration so that it need not fill it; null: nothing helps. */
  readonly wayOut: string | null;
}

/**
 * Table from the partner's code to the platform's reference id (or word). Made by `readLookup` from CSV.
 * `file` is as the configuration names it, for messages; the fingerprint uses `entries` only.
 */
export interface Lookup {
  /** The entity that shares the file and must fill the column, so that the file refuses `-`; null: it does not. */
  readonly dashRefused?: DashRefusal | null;
  readonly file: string;
  /** Key: the folded code (trimmed, inner blanks collapsed, case-folded), `*` for every other code. Value: the `id` cell. */
  readonly entries: ReadonlyMap<string, string>;
  /** Whether some code is a UUID: then a UUID that is not listed is the partner's own, and no id of the platform. */
  readonly codesAreUuids?: boolean;
  /** The UUIDs of its column `id`, in lower case. */
  readonly ids?: ReadonlySet<string>;
  /** What a person calls a code, from a column `name` of the file, by folded code; absent: the file has none. */
  readonly names?: ReadonlyMap<string, string>;
}
