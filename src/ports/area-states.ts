import type { Area } from '../domain/names.js';
import type { AreaStop } from '../domain/area-condition.js';
import type { Fence } from './leases.js';

/** What the pushes so far learned about an area. */
export interface AreaState {
  readonly area: Area;
  /** Transient failures since the last answer, across pushes and runs. */
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  /** When a push last ended in which it had answered; null: never. */
  readonly answeredAt: Date | null;
  /** Of the latest failure; null: none. */
  readonly lastError: string | null;
  /** Why the last push stopped, and since when; null: it did not. */
  readonly stop: (AreaStop & { readonly since: Date }) | null;
  /** The platform asked not to be sent anything until then, and it is not over yet; null: it did not. */
  readonly pause: { readonly until: Date; readonly leftMs: number } | null;
}

/** What a push learned about its area. */
export interface AreaFinding {
  readonly area: Area;
  /** Whether the area answered a request in this push: earlier failures no longer count. */
  readonly answered: boolean;
  readonly failuresInARow: number;
  readonly lastError: string | null;
  readonly stop: AreaStop | null;
}

/** What is known about the areas of the platform across pushes and runs. */
export interface AreaStates {
  /** Null: no push has learned anything yet. */
  read(area: Area): Promise<AreaState | null>;
  all(): Promise<readonly AreaState[]>;
  /** Stores what a push learned, while it holds the push lease. Errors: SyncError `lease-lost`. */
  save(fence: Fence, finding: AreaFinding): Promise<void>;
  /** Forgets the pauses that the platform asked these areas for; gives the areas that had one. */
  endPauses(areas: readonly Area[]): Promise<readonly Area[]>;
}
