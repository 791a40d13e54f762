import type { EntityName } from './names.js';
import type { OtherSource } from './source-sight.js';
import { grouped } from './text.js';

/**
 * Guards: limits on what one sweep may change. A sweep's findings become counts; a count beyond its limit holds the
 * entity (`judgeGuards`), unless a person has approved as much. Beside it stands what an approval causes.
 */
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
  /** Of these, the ones that the platform cannot have. */
  readonly neverThere?: number;
  /** Newly vanished ones whose last day was over. They are not among `vanished`, because their end was expected. */
  readonly expired?: number;
  /** Vanished in earlier sweeps, but a changed policy acts on them now: they count as vanished and as known. */
  readonly settledAnew: number;
  /** Known records that were valid and are invalid now. */
  readonly newlyInvalid: number;
  /** Invalid rows of new keys, or of keys that had vanished. */
  readonly newInvalid?: number;
  /** All invalid rows, also those that were invalid before. */
  readonly invalid?: number;
  /** New keys. */
  readonly appeared?: number;
  /** Known records that were valid and have another payload now, under the mapping of the last sweep. */
  readonly rewritten?: number;
  /** Known records that were invalid: they have no payload that could be another one now. */
  readonly knownInvalid?: number;
  /**
   * Known records that were valid and that the source no longer has, also where that is ignored. Else those that
   * vanished.
   */
  readonly validGone?: number;
  /** What differs in the rewritten ones, the most frequent field first. */
  readonly changedFields?: readonly ChangedField[];
  /** Whether an empty source is what it should be (`onVanished: ignore`). */
  readonly mayBeEmpty: boolean;
  /** The rows come from another source than before; null or left out: they do not. */
  readonly otherSource?: OtherSource | null;
}

/** A field of the body, in how many rewritten records it differs, and in how many of them nothing else does. */
export interface ChangedField {
  readonly field: string;
  readonly count: number;
  /** 0 for a field that says which record it is, or whether it is open. */
  readonly alone: number;
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
): Judged | null {
  const judged = judgeCounts(findings, limits);
  if (covers(approved, judged.counts)) return null;
  const { counts, held } = judged;
  const other = findings.otherSource ?? null;
  if (other === null || other.id === approved?.source) return held && { ...held, counts };
  // A person who approves sees also what another guard would stop.
  const also = held === null ? '' : ` ${held.message}`;
  return { guard: 'other-source', counts, message: `${other.message}${also}` };
}

type Judged = Pick<Hold, 'guard' | 'message' | 'counts'>;

/** What the counts of a sweep mean beside each other. */
interface Weighed {
  readonly counts: HoldCounts;
  readonly empty: boolean;
  /** Records that could have vanished. */
  readonly judged: number;
  /** Records that were valid and still are. */
  readonly stayed: number;
  /** Rows that this sweep found invalid. */
  readonly turned: number;
  readonly isRewritten: boolean;
  readonly isRenewed: boolean;
  readonly isMostlyInvalid: boolean;
}

function weigh(findings: GuardFindings, limits: GuardLimits): Weighed {
  const { read, known, settledAnew, newlyInvalid, newInvalid = 0, invalid = 0 } = findings;
  const { appeared = 0, rewritten = 0, neverThere = 0 } = findings;
  const stayed = stayedValid(findings);
  const others = rewritten - (movingField(findings, limits)?.alone ?? 0);
  const empty = read === 0 && known > 0 && !findings.mayBeEmpty;
  // In an empty source all records count: an approval for a few vanished ones must not cover all.
  const vanished = (empty ? known : findings.vanished) + settledAnew;
  const judged = known + settledAnew;
  const isRewritten =
    known >= CHANGED_FROM && stayed >= STAYED_FROM && percent(others, stayed) > limits.maxChangedPercent;
  const isRenewed = looksRenewed(vanished, appeared);
  // By what this sweep found: what was invalid before, and sent or approved around, must not hold every sweep.
  const turned = newlyInvalid + newInvalid;
  const isOver = (count: number) => percent(count, read) > limits.maxInvalidPercent;
  const isMostlyInvalid = known >= PERCENT_FROM && isOver(invalid) && !isOver(invalid - turned);
  const counts = {
    vanished,
    invalid: isMostlyInvalid ? turned : newlyInvalid,
    ...(isRewritten ? { changed: rewritten } : {}),
    ...(!isRewritten && findings.otherSource && rewritten > 0 ? { rewritten } : {}),
    ...(isRenewed ? { renewed: appeared } : {}),
    ...(neverThere > 0 ? { neverThere } : {}),
    ...(findings.otherSource ? { source: findings.otherSource.id } : {}),
  };
  return { counts, empty, judged, stayed, turned, isRewritten, isRenewed, isMostlyInvalid };
}

/** What a sweep found, and the first of the guards that stops so much of it; null: none. */
function judgeCounts(
  findings: GuardFindings,
  limits: GuardLimits,
): { readonly counts: HoldCounts; readonly held: Omit<Judged, 'counts'> | null } {
  const { read, known, newlyInvalid, invalid = 0, appeared = 0, rewritten = 0, expired = 0 } = findings;
  const { counts, empty, judged, stayed, turned, isRewritten, isRenewed, isMostlyInvalid } = weigh(
    findings,
    limits,
  );
  const { vanished } = counts;
  const limit = (name: keyof GuardLimits) => `guards.${name} is ${limits[name]}`;
  const [gone, further] = vanishedTexts(findings, vanished, judged, isRenewed ? renewedText(appeared) : '');
  const guards: readonly (readonly [Hold['guard'], boolean, string])[] = [
    [
      'empty-source',
      empty,
      `The source has no rows, the ledger has ${grouped(known)}${expired === 0 ? '' : `, of which ${grouped(expired)} had expired`}. An empty source is never applied.`,
    ],
    [
      'max-vanished-count',
      vanished > limits.maxVanishedCount,
      `${gone}${further(limit('maxVanishedCount'))}`,
    ],
    [
      'max-vanished-percent',
      judged >= PERCENT_FROM && percent(vanished, judged) > limits.maxVanishedPercent,
      `${gone} (${share(vanished, judged)})${further(limit('maxVanishedPercent'))}`,
    ],
    [
      'max-invalid-percent',
      known >= PERCENT_FROM && percent(newlyInvalid, known) > limits.maxInvalidPercent,
      `${of(newlyInvalid, known)} records that were valid are invalid now (${share(newlyInvalid, known)}); ${limit('maxInvalidPercent')}.`,
    ],
    [
      'max-invalid-percent',
      isMostlyInvalid,
      `${of(invalid, read)} rows are invalid (${share(invalid, read)}), ${grouped(turned)} of them since the last sweep; ${limit('maxInvalidPercent')}.`,
    ],
    [
      'max-changed-percent',
      isRewritten,
      `${of(rewritten, stayed)}${stayed < known ? ' valid' : ''} records changed (${share(rewritten, stayed)})${fieldsText(findings)}; ${limit('maxChangedPercent')}. Is this the same database as before?`,
    ],
  ];
  const [guard, , message = ''] = guards.find(([, stops]) => stops) ?? [];
  return { counts, held: guard === undefined ? null : { guard, message } };
}

/** `154 of 300 records vanished`, and what follows it, around the limit. */
function vanishedTexts(
  { settledAnew, expired = 0, neverThere = 0 }: GuardFindings,
  vanished: number,
  judged: number,
  renewed: string,
): readonly [gone: string, further: (limit: string) => string] {
  const unsent = neverThere === 0 ? '' : `, ${grouped(neverThere)} of them never at the platform`;
  const earlier = settledAnew === 0 ? '' : `, ${grouped(settledAnew)} of them in earlier sweeps`;
  const ended = expired === 0 ? '' : endedText(expired);
  return [
    `${of(vanished, judged)} records vanished${unsent}`,
    (limit) => `${earlier}; ${limit}.${ended}${renewed}`,
  ];
}

/** Only these have a payload that can be another one: the database of another customer makes the rest invalid, or vanish. */
function stayedValid({
  known,
  knownInvalid = 0,
  newlyInvalid,
  vanished,
  expired = 0,
  validGone,
}: GuardFindings): number {
  return known - knownInvalid - newlyInvalid - (validGone ?? vanished + expired);
}

/**
 * The field that is all that differs in most rewritten records. Where the records are still the same ones, this is no
 * other database: the field moves by the calendar, say. Null: there is none, or too many records came, went or broke.
 */
export function movingField(findings: GuardFindings, limits: GuardLimits): ChangedField | null {
  const { known, newlyInvalid, vanished, expired = 0, appeared = 0, changedFields = [] } = findings;
  const turnover = newlyInvalid + (findings.validGone ?? vanished + expired) + appeared;
  if (percent(turnover, known) > limits.maxVanishedPercent) return null;
  const [most = null] = changedFields.toSorted((a, b) => b.alone - a.alone);
  return most === null || most.alone === 0 ? null : most;
}

function fieldsText({ changedFields = [] }: GuardFindings): string {
  const shown = changedFields
    .slice(0, SHOWN_FIELDS)
    .map(({ field, count }) => `${field} in ${grouped(count)}`);
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`;
}

const SHOWN_FIELDS = 3;

/** About as many new keys as vanished ones: they may be the same records under other keys. It is a question, so broad. */
function looksRenewed(vanished: number, appeared: number): boolean {
  return vanished >= PERCENT_FROM && appeared >= vanished / 2 && appeared <= vanished * 2;
}

function endedText(expired: number): string {
  return ` Another ${grouped(expired)} had expired, which the guard does not count.`;
}

function renewedText(appeared: number): string {
  return ` ${grouped(appeared)} new ones came: were the keys renewed? Approving creates all of them again.`;
}

function percent(count: number, of: number): number {
  return of === 0 ? 0 : (100 * count) / of;
}

function of(part: number, whole: number): string {
  return `${grouped(part)} of ${grouped(whole)}`;
}

function share(count: number, of: number): string {
  return `${percent(count, of).toFixed(1).replace(/\.0$/, '')} %`;
}

/** The counts that a guard judged, and that an approval allows. */
export interface HoldCounts {
  readonly vanished: number;
  readonly invalid: number;
  /** Records with other content, where they were too many; absent: they were not. */
  readonly changed?: number;
  /** New keys that came while about as many vanished, which looks as if keys were renewed; absent: it does not. */
  readonly renewed?: number;
  /** Of the vanished ones, those that the platform cannot have, so that nothing is sent of them; absent: none. */
  readonly neverThere?: number;
  /** Records with other content in another source: an approval overwrites them, and does not compare their number. */
  readonly rewritten?: number;
  /** The other source from which the rows come (`OtherSource.id`); absent: the source is the one from before. */
  readonly source?: string;
}

/** What was seen of a sweep that is not held. */
export const NOTHING_HELD: HoldCounts = { vanished: 0, invalid: 0 };

/** Why nothing of a sweep was published. */
export interface Hold {
  readonly guard:
    | 'other-source'
    | 'empty-source'
    | 'max-vanished-percent'
    | 'max-vanished-count'
    | 'max-invalid-percent'
    | 'max-changed-percent';
  readonly message: string;
  readonly counts: HoldCounts;
  readonly sampleKeys: readonly string[];
  /** Absent: the entity has no parent, or none of the records is known to have one. */
  readonly whose?: HeldParents;
  /** ISO time. */
  readonly since: string;
}

/** Whose records a hold is about: of how many parents, and of which most of them are. */
export interface HeldParents {
  readonly entity: EntityName;
  readonly parents: number;
  /** Records that have a parent. */
  readonly count: number;
  /** `name`: null, where it may not be named or has none. */
  readonly most: { readonly name: string | null; readonly count: number };
}

/** Why an entity is no longer sent although its sweeps go on. */
export interface PushHold {
  readonly guard: 'max-rejected-in-a-row';
  readonly message: string;
  readonly refused: number;
  readonly sampleKeys: readonly string[];
  readonly since: string;
}

/**
 * Whether an approval for these counts allows a sweep with those: no more in any count, and no other source than the
 * approved one. Renewed keys are not compared: a new record needs no approval.
 */
export function covers(approved: HoldCounts | null, counts: HoldCounts): boolean {
  return (
    approved !== null &&
    counts.vanished <= approved.vanished &&
    counts.invalid <= approved.invalid &&
    (counts.changed ?? 0) <= (approved.changed ?? 0) &&
    (counts.source === undefined || counts.source === approved.source)
  );
}

/**
 * How records that left the source are treated.
 * - `report`: counted and listed; nothing more of them is sent.
 * - `ignore`: never counted as vanished.
 * - `close`: sent once more with another status, where the entity has one.
 * - `delete`: deleted at the platform.
 */
export type VanishedPolicy = 'report' | 'ignore' | 'close' | 'delete';

/** What the configuration says about records of an entity that left the source. */
export interface VanishedSettings {
  readonly onVanished: VanishedPolicy;
  /** The status that `close` sends. */
  readonly closedStatus: string;
}

/** The default of `closedStatus`. */
export const USUAL_CLOSED_STATUS = 'closed';

/** One thing that an approval causes, and how many records it is about. */
export type Consequence =
  /** The other source becomes the one of the entity. */
  | { readonly does: 'take-source' }
  | { readonly does: 'close'; readonly count: number; readonly status: string }
  | {
      readonly does: 'create-again' | 'delete' | 'mark-vanished' | 'update' | 'mark-invalid';
      readonly count: number;
    }
  /** The number is null where records are not counted. */
  | { readonly does: 'send-again'; readonly count: number | null };

/** What was held. */
export interface Approvable {
  /** Of the sweep that a guard stopped; null: no guard holds it. */
  readonly sweep: HoldCounts | null;
  /** Rejected records of an entity whose push is held, as far as they were counted; null: its push is not held. */
  readonly push: { readonly rejected: number | null } | null;
}

/**
 * What happens at the platform and in the ledger when a held entity is approved: the one answer that `approve`, the
 * dashboard, `plan`, `run`, `status` and notices give. `settings`: those in effect now, because the next sweep uses
 * them; null: not known, then nothing is said about vanished records. What the platform sees comes first.
 */
export function approvalConsequences(
  { sweep, push }: Approvable,
  settings: VanishedSettings | null,
): readonly Consequence[] {
  const { renewed = 0, rewritten = 0, changed = rewritten, vanished = 0, neverThere = 0 } = sweep ?? {};
  const there = vanished - neverThere;
  return [
    ...(sweep?.source === undefined ? [] : [{ does: 'take-source' } as const]),
    ...(renewed > 0 ? [{ does: 'create-again', count: renewed } as const] : []),
    ...(changed > 0 ? [{ does: 'update', count: changed } as const] : []),
    ...(there > 0 && settings ? ofVanished(there, settings) : []),
    ...(push ? [{ does: 'send-again', count: push.rejected } as const] : []),
    ...(sweep && sweep.invalid > 0 ? [{ does: 'mark-invalid', count: sweep.invalid } as const] : []),
  ];
}

function ofVanished(count: number, { onVanished, closedStatus }: VanishedSettings): readonly Consequence[] {
  switch (onVanished) {
    case 'close':
      return [{ does: 'close', count, status: closedStatus }];
    case 'delete':
      return [{ does: 'delete', count }];
    case 'report':
      return [{ does: 'mark-vanished', count }];
    // It is never marked, and no guard counts it. A hold from before the setting was changed ends with the next sweep.
    case 'ignore':
      return [];
  }
}
