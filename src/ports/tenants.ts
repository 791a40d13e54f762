import type { LearnedRate } from '../domain/learned-rate.js';

/**
 * What a fleet stores: tenants with their files, their runs, and the rate that replicas share.
 */
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

/**
 * It did nothing, because the ledger is at the version of another program than the replica's: an update of the fleet is
 * under way. Its message says which is older.
 */
export const OTHER_VERSION = 'other-version';

/** Whether a run was kept out: it says nothing about the tenant. */
export function wasKeptOut({ outcome }: Pick<TenantRun, 'outcome'>): boolean {
  return outcome === 'busy' || outcome === OTHER_VERSION;
}

export interface TenantSummary {
  readonly name: string;
  readonly schema: string;
  readonly periodMs: number;
  readonly laneSetting: LaneSetting;
  /** Where its jobs go now. */
  readonly lane: Lane;
  readonly enabled: boolean;
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

/** A tenant as its run begins. */
export interface BegunTenant {
  readonly summary: TenantSummary;
  readonly definition: TenantDefinition;
  /** So many replicas in a row ended during its run, and what was being read then has not been passed since. */
  readonly ends: number;
  /** The entity that was being read when the last of them ended; null: none, or not known. */
  readonly sweeping: string | null;
  /** Its last run was not ended: this counted as one of `ends`. */
  readonly wasCut: boolean;
  /** The run that was cut had this definition, too. */
  readonly goesOn: boolean;
}

/** What a run has to say while it goes on. `progress`: nothing is suspected any more. `alone`: it runs alone, and still does. */
export type RunNews = 'none' | 'progress' | 'alone';

/** Where statements run, so that they commit with those of somebody else. */
export interface OpenTransaction {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What `apply` changed, by name. */
export interface AppliedTenants {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/** What became of the ledger of a tenant that was purged. */
export interface PurgedTenant {
  readonly schema: string;
  /**
   * `deleted`; otherwise nothing was. `none`: the schema has no ledger in this database. `elsewhere`: it is at the
   * tenant's `state.url`. `of-another`: the tenant `other` has a ledger in a schema of this name.
   */
  readonly ledger: 'deleted' | 'none' | 'elsewhere' | 'of-another';
  /** Null: nobody else has the schema. */
  readonly other: string | null;
}

/**
 * The table of tenants. Times are the database's clock, but those of a run are as given. Errors: SyncError
 * `state-unavailable`, `state-failed`.
 */
export interface Tenants {
  /** In the order of their names; without those that were removed, unless asked for. */
  list(options?: { readonly removed?: boolean }): Promise<readonly TenantSummary[]>;
  /** Null: no such tenant, or removed. */
  read(
    name: string,
  ): Promise<{ readonly summary: TenantSummary; readonly definition: TenantDefinition } | null>;
  /**
   * In one transaction. `removeOthers`: tenants that are not named are removed. A removed one that is named comes back, as
   * added. Errors: also SyncError `usage` for two tenants with one schema.
   */
  apply(
    definitions: readonly TenantDefinition[],
    options: {
      readonly removeOthers: boolean;
      /** The database for the ledger of a new tenant; default: the fleet's own. */
      readonly place?: (tenant: string) => string;
    },
  ): Promise<AppliedTenants>;
  /** It never runs again; its ledger stays. False: no such tenant. True also when it was removed before. */
  remove(name: string): Promise<boolean>;
  /**
   * Deletes the row of a removed tenant and its ledger, if that is in this database or in one of `fleet.ledgers`, and no
   * other tenant has a ledger in a schema of this name, here or elsewhere, removed or not. Null: no such tenant, or not
   * removed. Errors: also SyncError `busy` while a run holds its lease, `usage` when the schema has tables that are not
   * of a ledger.
   */
  purge(name: string): Promise<PurgedTenant | null>;
  /** One that is resumed is due at once. False: no such tenant, or removed. */
  setPaused(name: string, paused: boolean): Promise<boolean>;
  /**
   * Those that are due, at most so many, those that waited longest first; what another replica takes in the same moment is
   * left out. Each has its next time with that: in its period, at a moment that its name decides. One is due at once when it
   * is new, changed or resumed.
   */
  takeDue(
    transaction: OpenTransaction,
    most: number,
  ): Promise<readonly Pick<TenantSummary, 'name' | 'lane'>[]>;
  /** All that may run are due now. */
  makeAllDue(): Promise<void>;
  /** Where its jobs go now. Null: it may not run, as of `begin`. */
  laneOf(name: string): Promise<Lane | null>;
  /**
   * Notes that a run begins, if the tenant may run: enabled, not paused, not removed. Null otherwise: nothing is noted.
   * With a definition that is new since its last run, that run has no slice to go on with: the next one sweeps.
   * A run of another replica that is noted is replaced, and counted in `ends`: the lease of the ledger keeps two apart.
   */
  begin(name: string, replica: string): Promise<BegunTenant | null>;
  /**
   * Keeps the one place in the fleet for tenants that may have ended a replica, for 30 s from here and from each
   * `mayGoOn` with `alone`. False: another tenant has it. Then the run of this one has not begun.
   */
  runAlone(name: string, replica: string): Promise<boolean>;
  /**
   * Notes how it ended, and moves a tenant in lane `auto` to `large` after three runs that used up their slices or took as
   * long, or at once after one that outgrew its lane; and back after three that did not. A run that left work of its slice
   * is no success. One that was kept out (`busy`) counts for none of it, and leaves it to the one that goes on elsewhere to
   * be noted. Nothing, if another replica runs it now. `ends` is 0 again, but for one that was kept out, or is condemned for
   * its `ends`. Gives its lane.
   */
  end(
    name: string,
    replica: string,
    run: TenantRun,
    options?: { readonly isCondemned?: boolean },
  ): Promise<Lane>;
  /**
   * From here on no run begins, and one under way ends soon. A move that was cut off is taken over: with the new id, as long
   * as the old ledger is in force; with its own id afterwards. Null: no such tenant, or its ledger is at its `state.url`, or
   * the move with the id `instead`, which this one undoes, is not the present one.
   */
  beginMove(
    name: string,
    move: Pick<LedgerMove, 'id' | 'to'>,
    instead?: string | null,
  ): Promise<{
    readonly move: LedgerMove;
    readonly ledger: string;
    /** The move before it, which was cut off; null: none. */
    readonly former: LedgerMove | null;
  } | null>;
  /** From here on the ledger is that at `to`. False: another process has begun this move again, or it has ended. */
  switchLedger(name: string, move: LedgerMove): Promise<boolean>;
  /** It may run again, and is due at once. False: as of `switchLedger`. */
  endMove(name: string, at: { readonly id: string; readonly ledger: string }): Promise<boolean>;
  /**
   * Whether it may go on: also that its definition is still this revision. `sweeping`: notes the entity that is being read;
   * null: none.
   */
  mayGoOn(name: string, revision: number, news?: RunNews, sweeping?: string | null): Promise<boolean>;
}

/** Who takes a place should send within this time, milliseconds; then it may become somebody else's. */
export const HELD_MS = 1_000;

/** A place in a rate that several processes share: from `at` on, one request may be sent in it. */
export interface SharedPlace {
  readonly index: number;
  /** Another one at each reservation of the place. */
  readonly stamp: number;
  /** By the database's clock, milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A place that a process gives back. */
export interface UsedPlace extends SharedPlace {
  /** When its request was sent, by the database's clock, milliseconds since the Unix epoch; null: nothing was sent. */
  readonly usedAt: number | null;
}

interface SharedPlaces {
  /** The database's clock at its answer, milliseconds since the Unix epoch. */
  readonly at: number;
  /** Ascending by their time. None: ask again after `waitMs`. */
  readonly places: readonly SharedPlace[];
  readonly waitMs: number;
  /** The turn for which to wait, by the database's clock. Null: there are places, or the platform asked for the wait. */
  readonly turnAt: number | null;
  /** So many used places had become somebody else's before: as many others must stay empty. */
  readonly lost: number;
  /** What all that share the rate have learned; null: nothing speaks against the setting. */
  readonly learned: LearnedRate | null;
}

/** A wait that the platform asked for. */
export interface SharedPause {
  readonly credential: string;
  readonly until: Date;
}

/**
 * One row for each credential. A rate has as many places as requests may come in a second. Each is handed out for one request,
 * and again a second after that was sent. The database's clock counts.
 */
export interface RateClaim {
  readonly credential: string;
  readonly perSecond: number | null;
  /** Of the ids of its records. */
  readonly namespace: string;
}

export interface AnsweredClaim {
  readonly credential: string;
  readonly perSecond: number | null;
  readonly twin: string | null;
}

export interface SharedRates {
  /** The database's clock, milliseconds since the Unix epoch. */
  now(): Promise<number>;
  /**
   * Gives back the `used` places of this credential, and takes up to `count` others. `ratePerSecond`: requests in any sliding
   * second, unless fewer were learned.
   */
  reserve(
    credential: string,
    ratePerSecond: number,
    count: number,
    options?: {
      readonly used?: readonly UsedPlace[];
      /** No place is sooner, because the answer would come too late for it; default 0. */
      readonly leadMs?: number;
      /** The turn that the caller was given before. It may also ask sooner: places may have become free. */
      readonly turnAt?: number | null;
    },
  ): Promise<SharedPlaces>;
  /**
   * Changes what all that share the rate have learned, and gives it. `change` gets the database's clock, milliseconds since
   * the Unix epoch. Nobody else changes it meanwhile.
   */
  learn(
    credential: string,
    change: (known: LearnedRate | null, now: number) => LearnedRate | null,
  ): Promise<LearnedRate | null>;
  /**
   * Notes what a tenant says of itself, and gives for each of its credentials the least rate of all tenants that have it (null:
   * none is said), and the tenant that has the same namespace with it and was there before; null: none.
   */
  claim(tenant: string, claims: readonly RateClaim[]): Promise<readonly AnsweredClaim[]>;
  /** Milliseconds for which the platform asked all to wait; 0: free. */
  pauseLeft(credential: string): Promise<number>;
  /** No process sends with this credential before so many milliseconds are over. A longer pause stays. */
  pause(credential: string, ms: number): Promise<void>;
  /** All that stand, by credential. */
  pauses(): Promise<readonly SharedPause[]>;
  /** Those of which anything is known. */
  credentials(): Promise<readonly string[]>;
  /** Ends its pause, and forgets the rate that was learned. False: there is neither. */
  endPause(credential: string): Promise<boolean>;
}
