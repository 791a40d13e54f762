import type { Catalog } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { DoctorEntity } from '../doctor-entity.js';
import type { DoctorSettings } from '../facts.js';
import type { QueryShape } from '../sql/query-shape.js';

/** What every reader of an entity gets. */
export interface InspectContext {
  readonly read: ReadOnly;
  readonly entity: DoctorEntity;
  readonly shape: QueryShape;
  /** The partner's query in parentheses, as `q`. */
  readonly from: string;
  readonly catalog: Catalog;
  readonly settings: DoctorSettings;
}
