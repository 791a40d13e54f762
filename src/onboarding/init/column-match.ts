import type { CatalogColumn } from '../catalog/catalog.js';
import type { TargetKind } from '../../entities/drafting/drafting.js';

/** A column that may fill a column of the contract. */
export interface ColumnMatch {
  readonly target: string;
  readonly kind: TargetKind;
  readonly column: CatalogColumn;
  /** 1 to 10. */
  readonly score: number;
}
