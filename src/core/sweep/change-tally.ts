import { SyncError } from '../domain/errors.js';
import type { GuardFindings } from '../domain/guard.js';
import type { SyncEvent } from '../domain/events.js';
import { type Issue, issueText } from '../domain/issue.js';
import type { GroupTally } from '../domain/issue-group.js';
import type { EntityName } from '../domain/names.js';
import type { SweepCounters } from '../domain/outcome.js';
import { isAboutApplications } from '../entities/index.js';
import type { StagedFinding } from '../ledger/staging.js';
import type { EntityState } from '../domain/entity-state.js';
import type { SourceRow } from '../ports/source.js';
import type { ConfiguredEntity } from '../context.js';
import type { Examined } from './examine-row.js';
import type { LedgerEntry } from '../ledger/ledger.js';

/**
 * What a sweep counts: row by row (`tallyExamined`), then as the public counters, as a balance that must come out even,
 * and as the guards see it. Much of it depends on why the sweep reads as much as it does (`SweepReason`).
 */

/** What a sweep counted. `read` comes from the source's own count, the rest record by record. */
export type ChangeTally = ReturnType<typeof emptyTally>;

export function emptyTally() {
  return {
    read: 0,
    unchanged: 0,
    new: 0,
    changed: 0,
    invalid: 0,
    vanished: 0,
    /** Application statuses whose application is unknown: never sent, judged again at every sweep. */
    foreign: 0,
    /** Vanished records past their last day, which guards do not count. */
    expired: 0,
    /** Other vanished ones that the platform cannot have. */
    neverThere: 0,
    /** Vanished in earlier sweeps, but another policy now desires something of them: guards count them too. */
    settledAnew: 0,
    /** Records in the ledger that were not vanished before. */
    known: 0,
    /** Those of them that were invalid. */
    knownInvalid: 0,
    /** Those of them that were valid and that the source no longer has, whatever the policy does with them. */
    validGone: 0,
    newlyInvalid: 0,
    /** Invalid rows whose records are new, or had vanished. */
    newInvalid: 0,
    /** Known records that were valid and have another payload, where the mapping is the same and nobody asked. */
    rewritten: 0,
    /** What differs in the rewritten ones, by field. */
    fields: new Map<string, { count: number; alone: number }>(),
    staleRowVersions: 0,
    staleSample: [] as string[],
  };
}

const SAMPLE_SIZE = 5;

/** Adds one examined row. */
export function tallyExamined(
  tally: ChangeTally,
  source: Pick<SourceRow, 'key' | 'rowVersion'>,
  known: LedgerEntry | null,
  examined: Examined,
  reason: SweepReason,
): void {
  tally[examined.standing] += 1;
  const wasValid = known !== null && !known.invalid && !known.vanished;
  if (examined.standing === 'invalid' && wasValid) tally.newlyInvalid += 1;
  if (examined.standing === 'invalid' && (known === null || known.vanished)) tally.newInvalid += 1;
  if (isRewritten(examined.standing, known, reason)) tally.rewritten += 1;
  // Under the same mapping only another row makes another payload.
  if (
    isFull(reason) &&
    hasSameMapping(reason) &&
    wasValid &&
    examined.standing !== 'unchanged' &&
    source.rowVersion !== null &&
    source.rowVersion === known.rowVersion
  ) {
    tally.staleRowVersions += 1;
    if (tally.staleSample.length < SAMPLE_SIZE) tally.staleSample.push(source.key);
  }
}

/** Whether a change counts as rewritten. */
export function isRewritten(
  standing: Examined['standing'] | StagedFinding['kind'],
  known: LedgerEntry | null,
  reason: SweepReason,
): boolean {
  return (
    standing === 'changed' && known !== null && !known.invalid && !known.vanished && isUnprompted(reason)
  );
}

/** Adds the fields in which a rewritten record differs from what was desired before. */
export function tallyFields(tally: ChangeTally, fields: readonly string[]): void {
  for (const field of fields) {
    const { count, alone } = tally.fields.get(field) ?? { count: 0, alone: 0 };
    tally.fields.set(field, { count: count + 1, alone: alone + (fields.length === 1 ? 1 : 0) });
  }
}

type MappingWarnings = Extract<SyncEvent, { type: 'mapping-warnings' }>;

/** Kinds of warnings that are kept apart. A message that has a value of its row would make one for each row. */
const MOST_KINDS = 100;

/**
 * Doubtful values by field and kind, so that a frequent warning does not hide a rare one, each with its first record; the
 * last counts those of all further kinds.
 */
export function warningsOf(
  doubts: Pick<GroupTally, 'noted'>,
): readonly Pick<MappingWarnings, 'field' | 'code' | 'hint' | 'count' | 'sample'>[] {
  const kinds = doubts.noted().map(({ issue, key, times: count }) => {
    // For the log, so without the value.
    const { field, code, hint, column, message } = issue as Issue;
    return { field, code, hint, count, sample: `${key}: ${issueText({ field, column, message })}` };
  });
  const [further, ...others] = kinds.slice(MOST_KINDS);
  if (!further) return kinds;
  const count = others.reduce((sum, each) => sum + each.count, further.count);
  return [...kinds.slice(0, MOST_KINDS), { ...further, field: 'further kinds', hint: undefined, count }];
}

/** The counters of a sweep that are public interface; only application statuses have `foreign`. */
export function sweepCounters(entity: EntityName, tally: ChangeTally): SweepCounters {
  const { read, unchanged, changed, vanished, invalid, foreign } = tally;
  // A key that only changed its spelling is not vanished.
  const expired = Math.min(tally.expired, vanished);
  const counters = {
    read,
    unchanged,
    new: tally.new,
    changed,
    vanished,
    invalid,
    ...(expired > 0 ? { expired } : {}),
  };
  return isAboutApplications(entity) ? { ...counters, foreign } : counters;
}

/** Every row that the source counted must appear once: read = unchanged + new + changed + invalid (+ foreign). */
export function checkBalance(entity: EntityName, counters: SweepCounters): void {
  const { read, unchanged, changed, invalid, foreign = 0 } = counters;
  const accounted = unchanged + counters.new + changed + invalid + foreign;
  if (read === accounted) return;
  throw new SyncError(
    'unbalanced',
    `The sweep of ${entity} does not balance: ${read} rows read, ${accounted} accounted for.`,
    {
      scope: 'entity',
      hint: 'Nothing was applied. Does the query give another result each time it runs (now(), random(), LIMIT without ORDER BY)?',
      details: { read, unchanged, new: counters.new, changed, invalid, foreign },
    },
  );
}

/** What a sweep counted, as the guards see it: records whose last day was past may vanish. */
export function guardFindings(
  tally: ChangeTally,
  { onVanished, label, statusField, parent }: ConfiguredEntity,
): GuardFindings {
  const telling = [label, statusField, parent?.field ?? null];
  // A key that only changed its spelling is not vanished.
  const vanished = Math.max(0, tally.vanished - tally.expired);
  return {
    ...tally,
    vanished,
    neverThere: Math.min(tally.neverThere, vanished),
    appeared: tally.new,
    changedFields: [...tally.fields]
      .map(([field, { count, alone }]) => ({ field, count, alone: telling.includes(field) ? 0 : alone }))
      .sort((a, b) => b.count - a.count),
    mayBeEmpty: onVanished === 'ignore',
  };
}

/**
 * Why a sweep reads as much as it does, from the most to the least.
 * - `first sweep`: every row. The ledger knows nothing of the entity, or belongs to another platform since, so that ids
 *   may differ.
 * - `mapping changed`: every row, and vanished records are judged again.
 * - `asked for`, `due by sweep.fullEvery`: every row, under the mapping of the last sweep.
 * - `what differs`: only rows with another row version.
 */
export type SweepReason =
  'first sweep' | 'mapping changed' | 'asked for' | 'due by sweep.fullEvery' | 'what differs';

export function sweepReason(state: EntityState, fingerprint: string, fullEveryMs: number): SweepReason {
  if (state.fingerprint === null) return 'first sweep';
  if (state.fingerprint !== fingerprint) return 'mapping changed';
  if (state.fullSweepRequested) return 'asked for';
  if (state.sinceFullSweepMs === null || state.sinceFullSweepMs >= fullEveryMs)
    return 'due by sweep.fullEvery';
  return 'what differs';
}

/** Whether every row is read and mapped, whatever its row version. */
export function isFull(reason: SweepReason): boolean {
  return reason !== 'what differs';
}

export function hasSameMapping(reason: SweepReason): boolean {
  return reason !== 'first sweep' && reason !== 'mapping changed';
}

/** Whether what changed comes from the source alone: neither the mapping changed, nor did anybody ask for a resync. */
function isUnprompted(reason: SweepReason): boolean {
  return hasSameMapping(reason) && reason !== 'asked for';
}

/** Whether the ledger's ids may have been made with another namespace, so that also unchanged records are written. */
export function idsMayDiffer(reason: SweepReason): boolean {
  return reason === 'first sweep';
}
