import { columnOf } from '../../entities/absent.js';
import type { Comparison } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import type { ReadBackRecord } from '../../ports/read-backs.js';
import { countFields } from './count-fields.js';
import { isDoubted, isUnshown, type FieldCounts } from './doubted-field.js';
import type { DoubtedField, LeftOverField, NotComparedField } from './verify-report.js';

/** What the read-backs of one entity found together. */
export interface EntityFindings {
  /** A record that was found. */
  readonly found: (comparison: Comparison) => void;
  /** A record that differs; null: it is missing. */
  readonly unequal: (record: JudgedRecord, comparison: Comparison | null) => void;
  doubted(): readonly DoubtedField[];
  /** Fields that the platform shows to nobody, without those that are named. */
  unshown(named: readonly string[]): ReadonlySet<string>;
  /** Records that differ in such fields only: they are not drift. */
  excused(named: readonly string[]): readonly JudgedRecord[];
  /** Records that are drift: they are missing, or differ in another field. */
  different(named: readonly string[]): readonly JudgedRecord[];
  notCompared(): readonly NotComparedField[];
  leftOver(): readonly LeftOverField[];
  /**
   * What is to be sent again: records that are missing, or differ in a field that is not doubted or that is named.
   * `leftOver`: those of them that differ only in fields which the body leaves out, so that sending helps only where the
   * platform replaces its record.
   */
  toRepair(named: readonly string[]): {
    readonly keys: readonly string[];
    readonly leftOver: ReadonlySet<string>;
  };
}

/** A record as it was read from the ledger. */
type JudgedRecord = Pick<ReadBackRecord, 'key' | 'acknowledgedAt'>;

interface Unequal extends JudgedRecord {
  /** Null: the record is missing. */
  readonly fields: readonly string[] | null;
  readonly leftOver: readonly string[];
}

function isExcused({ fields }: Unequal, unshown: ReadonlySet<string>): boolean {
  return fields?.every((field) => unshown.has(field)) === true;
}

/**
 * @param explained fields whose differences have a known cause, so they are not doubted
 * @param wentBack the ledger went back in time
 */
export function createEntityFindings(
  entity: Pick<Entity, 'name' | 'columns'>,
  explained: readonly string[],
  wentBack: boolean,
): EntityFindings {
  const fields = countFields();
  const records: Unequal[] = [];
  const fieldsWhere = (isMeant: (counted: FieldCounts & { unknown: number; leftOver: number }) => boolean) =>
    [...fields.counts].filter(([, counted]) => isMeant(counted));
  const doubted = () =>
    fieldsWhere((counted) => isDoubted(counted, wentBack)).filter(([field]) => !explained.includes(field));
  const unshown = (named: readonly string[]) =>
    new Set(
      doubted().flatMap(([field, counted]) => (isUnshown(counted) && !named.includes(field) ? [field] : [])),
    );
  return {
    found: fields.add,
    unequal({ key, acknowledgedAt }, comparison) {
      const { drift = [], leftOver = [] } = comparison ?? {};
      records.push({ key, acknowledgedAt, fields: comparison && drift.map(({ field }) => field), leftOver });
    },
    doubted: () =>
      doubted().map(([field, { compared, drifted }]) => ({
        entity: entity.name,
        field,
        compared,
        drifted,
      })),
    unshown,
    excused(named) {
      const out = unshown(named);
      return records.filter((record) => isExcused(record, out));
    },
    different(named) {
      const out = unshown(named);
      return records.filter((record) => !isExcused(record, out));
    },
    notCompared: () =>
      fieldsWhere(({ unknown }) => unknown > 0).map(([field, { unknown }]) => ({
        entity: entity.name,
        field,
        records: unknown,
      })),
    leftOver: () =>
      fieldsWhere(({ leftOver }) => leftOver > 0).map(([field, { leftOver }]) => ({
        entity: entity.name,
        field,
        records: leftOver,
        column: columnOf(entity, field) ?? field,
      })),
    toRepair(named) {
      const out = new Set(doubted().map(([field]) => field));
      const counting = (fields: readonly string[]) =>
        fields.filter((field) => !out.has(field) || named.includes(field));
      const chosen = records.filter(({ fields }) => fields === null || counting(fields).length > 0);
      const onlyLeft = chosen.filter(
        ({ fields, leftOver }) =>
          fields !== null && counting(fields).every((each) => leftOver.includes(each)),
      );
      return { keys: chosen.map(({ key }) => key), leftOver: new Set(onlyLeft.map(({ key }) => key)) };
    },
  };
}
