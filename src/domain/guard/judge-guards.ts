import { covers } from './covers.js';
import type { Hold, HoldCounts } from './hold.js';

export interface GuardLimits {
  readonly maxVanishedPercent: number;
  readonly maxVanishedCount: number;
  readonly maxInvalidPercent: number;
  readonly maxChangedPercent: number;
}

/** What a sweep found, as the guards see it. */
export interface GuardFindings {
  /** Rows that the source has. */
  readonly read: number;
  /** Records in the ledger that are not vanished. */
  readonly known: number;
  /** Newly vanished ones that the policy acts on; 0 where vanished records are ignored. */
  readonly vanished: number;
  /** Vanished in earlier sweeps, but a changed policy acts on them now: they count as vanished and as known. */
  readonly settledAnew: number;
  /** Known records that were valid and are invalid now. */
  readonly newlyInvalid: number;
  /** Whether an empty source is what it should be (`onVanished: ignore`). */
  readonly mayBeEmpty: boolean;
}

/** Percentages mean nothing for a few records. */
const PERCENT_FROM = 5;

/**
 * Decides whether a sweep may be published. Gives null when it may, or the first guard that stops it.
 * `approved`: counts that a human has approved; a sweep within them passes.
 */
export function judgeGuards(
  findings: GuardFindings,
  limits: GuardLimits,
  approved: HoldCounts | null,
): Pick<Hold, 'guard' | 'message' | 'counts'> | null {
  const { read, known, settledAnew, newlyInvalid } = findings;
  const empty = read === 0 && known > 0 && !findings.mayBeEmpty;
  // In an empty source all records count: an approval for a few vanished ones must not cover all.
  const vanished = (empty ? known : findings.vanished) + settledAnew;
  const judged = known + settledAnew;
  const counts = { vanished, invalid: newlyInvalid };
  if (covers(approved, counts)) return null;

  if (empty) {
    return {
      guard: 'empty-source',
      counts,
      message: `The source has no rows, the ledger has ${known}. An empty source is never applied.`,
    };
  }
  const gone = `${vanished} of ${judged} records vanished`;
  const earlier = settledAnew === 0 ? '' : `, ${settledAnew} of them in earlier sweeps`;
  if (vanished > limits.maxVanishedCount) {
    return {
      guard: 'max-vanished-count',
      counts,
      message: `${gone}${earlier}; guards.maxVanishedCount is ${limits.maxVanishedCount}.`,
    };
  }
  if (judged >= PERCENT_FROM && percent(vanished, judged) > limits.maxVanishedPercent) {
    return {
      guard: 'max-vanished-percent',
      counts,
      message: `${gone} (${rounded(percent(vanished, judged))} %)${earlier}; guards.maxVanishedPercent is ${limits.maxVanishedPercent}.`,
    };
  }
  if (known >= PERCENT_FROM && percent(newlyInvalid, known) > limits.maxInvalidPercent) {
    return {
      guard: 'max-invalid-percent',
      counts,
      message: `${newlyInvalid} of ${known} records that were valid are invalid now (${rounded(percent(newlyInvalid, known))} %); guards.maxInvalidPercent is ${limits.maxInvalidPercent}.`,
    };
  }
  return null;
}

function percent(count: number, of: number): number {
  return of === 0 ? 0 : (100 * count) / of;
}

function rounded(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
