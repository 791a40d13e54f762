import type { EntityName } from '../../domain/names.js';
import type { JsonValue } from '../../domain/row.js';

/** What is counted of one entity: public interface. */
export interface VerifyCounters {
  checked: number;
  same: number;
  drifted: number;
  missing: number;
}

interface OfField {
  readonly entity: EntityName;
  /** Path in the body that is sent. */
  readonly field: string;
}

/** A field of which the reply did not show, of so many records, what the platform holds. */
export interface NotComparedField extends OfField {
  readonly records: number;
}

/** A field that differs in so many records that the way it is compared is doubted. */
export interface DoubtedField extends OfField {
  readonly compared: number;
  readonly drifted: number;
}

/** A field that the platform still holds in so many records, while the source has no value and the body leaves it out. */
export interface LeftOverField extends OfField {
  readonly records: number;
  /** The column whose `absent: null` clears it. */
  readonly column: string;
}

/** What `verify --json` prints: public interface. */
export interface VerifyReport {
  readonly entities: Record<EntityName, VerifyCounters>;
  readonly drift: readonly (OfField & {
    readonly key: string;
    readonly sent: JsonValue;
    readonly held: JsonValue;
  })[];
  /** The lists below are there when they are not empty. */
  readonly notCompared?: readonly NotComparedField[];
  readonly doubted?: readonly DoubtedField[];
  readonly leftOver?: readonly LeftOverField[];
}
