/** Queues of the fleet. A large tenant has its own, so that it cannot hold up the small ones. */
export type Lane = 'sync' | 'large';

/** What a tenant's file says; `auto`: the fleet chooses, by how long the last runs took. */
export type LaneSetting = Lane | 'auto';

/** A tenant as its file describes it. Secrets are references only: `${NAME}`. */
export interface TenantDefinition {
  /** Of its file, without `.yaml`: small letters, digits, `-` and `_`, at most 60. */
  readonly name: string;
  readonly configuration: string;
  /** Texts of the files that it names (queries, lookups, certificates, webhook SQL), by path as it is written there. */
  readonly files: Readonly<Record<string, string>>;
  /** Time between two runs, milliseconds: whole minutes. */
  readonly periodMs: number;
  readonly lane: LaneSetting;
  readonly enabled: boolean;
  /** Of its ledger. No two tenants of one fleet have the same, wherever their ledgers are. */
  readonly schema: string;
  /**
   * Whether its file leaves the ledger to the fleet's database. Otherwise it is at its `state.url`, and `purge` leaves
   * it.
   */
  readonly ledgerHere: boolean;
}

/** How a run of a tenant ended, or a slice of one. */
export interface TenantRun {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** As of `run`, or `slice` when its time was over with work left, or `other-version`. */
  readonly outcome: string;
  readonly exitCode: number;
  /** Why it failed; null: it did not. No secret, no personal data. */
  readonly message: string | null;
  /** Records still to be sent; null: not known. */
  readonly pending: number | null;
  readonly usedUpSlice: boolean;
  /** Its sweep alone took longer than a slice, so it goes on among the large ones. */
  readonly outgrewLane?: true;
}

export interface TenantSummary extends Pick<TenantDefinition, 'name' | 'schema' | 'periodMs' | 'enabled'> {
  readonly laneSetting: LaneSetting;
  /** Where its jobs go now. */
  readonly lane: Lane;
  readonly paused: boolean;
  /** `fleet remove` or `fleet apply` took it away; its ledger is still there. It never runs. */
  readonly removed: boolean;
  /** Grows with each change of its definition. */
  readonly revision: number;
  readonly addedAt: Date;
  readonly lastRun: TenantRun | null;
  /** When a run last ended with exit code 0; null: never. */
  readonly lastSuccessAt: Date | null;
  /** Of the run under way; null: none. */
  readonly running: { readonly replica: string; readonly since: Date } | null;
  /** Its database, `host:port/database`; `fleet`: the fleet's own. Null: that of the tenant's `state.url`. */
  readonly ledger: string | null;
  /** Its ledger moves to another database, so it does not run; null: it stays where it is. */
  readonly move: LedgerMove | null;
  /** It must run alone, and this tenant has the place for it. Null: otherwise. */
  readonly waitsFor: string | null;
}

/** A move of a ledger. Once the tenant's ledger is `to`, the one at `from` is old. */
export interface LedgerMove {
  /** Of the last process that began it. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly since: string;
}
