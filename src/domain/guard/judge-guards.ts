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
  /** Newly vanished ones whose last day was over. They are not among `vanished`, because their end was expected. */
  readonly expired?: number;
  /** Vanished in earlier sweeps, but a changed policy acts on them now: they count as vanished and as known. */
  readonly settledAnew: number;
  /** Known records that were valid and are invalid now. */
  readonly newlyInvalid: number;
  /** New keys. */
  readonly appeared?: number;
  /** Known records that were valid and have another payload now, under the mapping of the last sweep. */
  readonly rewritten?: number;
  /** Known records that were invalid: they have no payload that could be another one now. */
  readonly knownInvalid?: number;
  /** Known records that were valid and that the source no longer has, also where that is ignored. Else those that vanished. */
  readonly validGone?: number;
  /** Whether an empty source is what it should be (`onVanished: ignore`). */
  readonly mayBeEmpty: boolean;
}

/** Percentages mean nothing for a few records. */
const PERCENT_FROM = 5;
/** From here on, more than half of the records do not change between two sweeps by chance. */
const CHANGED_FROM = 100;
/** Where nearly all of them are invalid or gone, a few edits are more than half of the others. */
const STAYED_FROM = 20;

/**
 * Decides whether a sweep may be published. Gives null when it may, or the first guard that stops it.
 * `approved`: counts that a human has approved; a sweep within them passes.
 */
export function judgeGuards(
  findings: GuardFindings,
  limits: GuardLimits,
  approved: HoldCounts | null,
): Pick<Hold, 'guard' | 'message' | 'counts'> | null {
  const { read, known, settledAnew, newlyInvalid, appeared = 0, rewritten = 0, expired = 0 } = findings;
  // Only these have a payload that can be another one: the database of another customer makes the rest invalid, or vanish.
  const stayed =
    known - (findings.knownInvalid ?? 0) - newlyInvalid - (findings.validGone ?? findings.vanished + expired);
  const empty = read === 0 && known > 0 && !findings.mayBeEmpty;
  // In an empty source all records count: an approval for a few vanished ones must not cover all.
  const vanished = (empty ? known : findings.vanished) + settledAnew;
  const judged = known + settledAnew;
  const isRewritten =
    known >= CHANGED_FROM && stayed >= STAYED_FROM && percent(rewritten, stayed) > limits.maxChangedPercent;
  const isRenewed = looksRenewed(vanished, appeared);
  const counts = {
    vanished,
    invalid: newlyInvalid,
    ...(isRewritten ? { changed: rewritten } : {}),
    ...(isRenewed ? { renewed: appeared } : {}),
  };
  if (covers(approved, counts)) return null;

  if (empty) {
    return {
      guard: 'empty-source',
      counts,
      message: `The source has no rows, the ledger has ${known}${expired === 0 ? '' : `, of which ${expired} had expired`}. An empty source is never applied.`,
    };
  }
  const ended = expired === 0 ? '' : ` Another ${expired} had expired, which the guard does not count.`;
  const gone = `${vanished} of ${judged} records vanished`;
  const renewed = isRenewed ? renewedText(appeared) : '';
  const earlier = settledAnew === 0 ? '' : `, ${settledAnew} of them in earlier sweeps`;
  if (vanished > limits.maxVanishedCount) {
    return {
      guard: 'max-vanished-count',
      counts,
      message: `${gone}${earlier}; guards.maxVanishedCount is ${limits.maxVanishedCount}.${ended}${renewed}`,
    };
  }
  if (judged >= PERCENT_FROM && percent(vanished, judged) > limits.maxVanishedPercent) {
    return {
      guard: 'max-vanished-percent',
      counts,
      message: `${gone} (${rounded(percent(vanished, judged))} %)${earlier}; guards.maxVanishedPercent is ${limits.maxVanishedPercent}.${ended}${renewed}`,
    };
  }
  if (known >= PERCENT_FROM && percent(newlyInvalid, known) > limits.maxInvalidPercent) {
    return {
      guard: 'max-invalid-percent',
      counts,
      message: `${newlyInvalid} of ${known} records that were valid are invalid now (${rounded(percent(newlyInvalid, known))} %); guards.maxInvalidPercent is ${limits.maxInvalidPercent}.`,
    };
  }
  if (isRewritten) {
    return {
      guard: 'max-changed-percent',
      counts,
      message: `${rewritten} of ${stayed}${stayed < known ? ' valid' : ''} records changed (${rounded(percent(rewritten, stayed))} %); guards.maxChangedPercent is ${limits.maxChangedPercent}. Is this the same database as before?`,
    };
  }
  return null;
}

/** About as many new keys as vanished ones: they may be the same records under other keys. It is a question, so broad. */
function looksRenewed(vanished: number, appeared: number): boolean {
  return vanished >= PERCENT_FROM && appeared >= vanished / 2 && appeared <= vanished * 2;
}

function renewedText(appeared: number): string {
  return ` ${appeared} new ones came: were the keys renewed? Approving creates all of them again.`;
}

function percent(count: number, of: number): number {
  return of === 0 ? 0 : (100 * count) / of;
}

function rounded(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
