/**
 * Table from the partner's code to the platform's reference id (or word). Made by `readLookup` from CSV.
 * `file` is as the configuration names it, for messages; the fingerprint uses `entries` only.
 */
export interface Lookup {
  readonly file: string;
  /** Key: the folded code (trimmed, inner blanks collapsed, case-folded), `*` for every other code. Value: the `id` cell. */
  readonly entries: ReadonlyMap<string, string>;
}
