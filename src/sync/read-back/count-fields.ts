import type { Comparison } from '../../entities/compare-read-back.js';
import type { FieldCounts } from './doubted-field.js';

/** How often each field was compared, and with which result. */
export interface CountedFields {
  readonly add: (comparison: Comparison) => void;
  /** By path in the body that is sent. */
  readonly counts: ReadonlyMap<string, FieldCounts & { readonly unknown: number; readonly leftOver: number }>;
}

const NONE = { compared: 0, drifted: 0, empty: 0, silent: 0, unknown: 0, leftOver: 0 };

/** Counts what the comparisons of one entity's records say about its fields. */
export function countFields(): CountedFields {
  const counts = new Map<string, typeof NONE>();
  const count = (fields: readonly string[], what: keyof typeof NONE) => {
    for (const field of fields) {
      const before = counts.get(field) ?? NONE;
      counts.set(field, { ...before, [what]: before[what] + 1 });
    }
  };
  return {
    counts,
    add({ compared, notCompared, empty, drift, leftOver }) {
      count(compared, 'compared');
      count(notCompared, 'unknown');
      count(empty, 'silent');
      count(leftOver, 'leftOver');
      count(
        drift.map(({ field }) => field),
        'drifted',
      );
      count(
        drift.filter(({ held }) => held === null || held === '').map(({ field }) => field),
        'empty',
      );
    },
  };
}
