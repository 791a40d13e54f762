import type { EntityName } from '../../domain/names.js';

/** What is counted of one entity: public interface. */
export interface AdoptCounters {
  checked: number;
  adopted: number;
  different: number;
  missing: number;
  /** Not read, because their row has errors, so that they cannot be sent; absent: none. */
  invalid?: number;
  /** Not read, because their parent has no reference; absent: none. */
  waiting?: number;
}

/** What `adopt --json` prints: public interface. */
export interface AdoptReport {
  readonly entities: Record<EntityName, AdoptCounters>;
}
