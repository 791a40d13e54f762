import type { EntityName } from '../domain/entity-name.js';

/** What a human or a parent can ask for: sending again. Each ends open claims like an attempt without reply. */
export interface Marks {
  /** Everything (or these keys) is sent again, links kept, and read anew by the next sweep. Gives how many records. */
  resync(entity: EntityName, keys: readonly string[] | null, timeoutMs: number): Promise<number>;
  /** Rejected records become pending again. Gives their number; `preview` only counts. */
  retry(entity: EntityName, options: { readonly preview: boolean }): Promise<number>;
}
