import { columnOf } from '../../entities/absent.js';
import type { Comparison } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import { isDoubted } from './doubted-field.js';
import type { DoubtedField, LeftOverField, NotComparedField } from './verify-report.js';

/** What the read-backs of one entity found together. */
export interface EntityFindings {
  /** A record that was found. */
  readonly found: (comparison: Comparison) => void;
  /** A record that differs; null: it is missing. */
  readonly unequal: (key: string, comparison: Comparison | null) => void;
  doubted(): readonly DoubtedField[];
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

interface Unequal {
  readonly key: string;
  /** Null: the record is missing. */
  readonly fields: readonly string[] | null;
  readonly leftOver: readonly string[];
}

const NONE = { compared: 0, drifted: 0, empty: 0, unknown: 0, leftOver: 0 };

/**
 * @param explained fields whose differences have a known cause, so they are not doubted
 * @param wentBack the ledger went back in time
 */
export function createEntityFindings(
  entity: Pick<Entity, 'name' | 'columns'>,
  explained: readonly string[],
  wentBack: boolean,
): EntityFindings {
  const counts = new Map<string, typeof NONE>();
  const records: Unequal[] = [];
  const count = (field: string, what: keyof typeof NONE) => {
    const before = counts.get(field) ?? NONE;
    counts.set(field, { ...before, [what]: before[what] + 1 });
  };
  const fieldsWhere = (isMeant: (counted: typeof NONE) => boolean) =>
    [...counts].filter(([, counted]) => isMeant(counted));
  const doubted = () =>
    [...counts].filter(([field, counted]) => isDoubted(counted, wentBack) && !explained.includes(field));
  return {
    found({ compared, notCompared }) {
      for (const field of compared) count(field, 'compared');
      for (const field of notCompared) count(field, 'unknown');
    },
    unequal(key, comparison) {
      const { drift = [], leftOver = [] } = comparison ?? {};
      for (const { field, held } of drift) {
        count(field, 'drifted');
        if (held === null || held === '') count(field, 'empty');
      }
      for (const field of leftOver) count(field, 'leftOver');
      records.push({ key, fields: comparison && drift.map(({ field }) => field), leftOver });
    },
    doubted: () =>
      doubted().map(([field, { compared, drifted }]) => ({
        entity: entity.name,
        field,
        compared,
        drifted,
      })),
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
