/** The result of comparing source and ledger for one key. */
export type Finding<S, L> =
  | { readonly kind: 'new'; readonly source: S }
  | { readonly kind: 'changed'; readonly source: S; readonly ledger: L }
  | { readonly kind: 'unchanged'; readonly source: S; readonly ledger: L }
  | { readonly kind: 'returned'; readonly source: S; readonly ledger: L }
  /** Vanished in an earlier sweep, and still absent. */
  | { readonly kind: 'gone'; readonly ledger: L }
  | { readonly kind: 'vanished'; readonly ledger: L };
