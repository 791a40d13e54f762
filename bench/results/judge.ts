import type { Figure } from './figure.js';

export interface Verdict {
  /** What is compared with the limit; null: there is no target. */
  readonly compared: number | null;
  readonly reached: boolean | null;
}

/** Whether a figure reaches its target, by the medians. Pure. */
export function judge({ value, reference, target }: Pick<Figure, 'value' | 'reference' | 'target'>): Verdict {
  const beside = reference?.value.median ?? null;
  const compared = {
    ratio: beside === null ? null : value.median / beside,
    difference: beside === null ? null : value.median - beside,
    value: value.median,
  }[target?.of ?? 'ratio'];
  if (target === null || compared === null) return { compared, reached: null };
  const { atLeast = -Infinity, atMost = Infinity } = target;
  return { compared, reached: compared >= atLeast && compared <= atMost };
}
