import type { RecordStatus } from '../../core/domain/names.js';
import { differenceOf } from '../../core/domain/near-miss.js';
import { isTakenDown, type ShownState, stateText } from '../../core/domain/reply/reply.js';
import { withFullStop } from '../../core/domain/text.js';

/**
 * Why a record has its status, in words for `explain`: the status itself, its parent, and what the source has
 * otherwise.
 */

/** The facts that explain a record's status. */
export interface StatusFacts {
  readonly status: RecordStatus;
  readonly inLedger: boolean;
  /** When the platform accepted it last, ISO time; null: never. */
  readonly acceptedAt: string | null;
  /** When it was read back last, ISO time; null: never. */
  readonly lookedAt: string | null;
  /** A read-back found that the platform lacks it or holds another. */
  readonly drifted: boolean;
  readonly lastError: string | null;
  /** What the platform shows of it since it accepted it; null: nothing is known. */
  readonly atPlatform: ShownState | null;
  /** With the name of its field. */
  readonly firstIssue: string | null;
  readonly waitsFor: string | null;
  readonly nextAttemptAt: string | null;
  /** ISO time until which the platform asked not to be sent anything; null: it did not. */
  readonly pausedUntil: string | null;
  /** Why nothing is sent to its area now, a whole sentence; null: it is not stopped, or it is a pause. */
  readonly areaStopped: string | null;
  readonly confirmAt: string | null;
  /** What was desired when it vanished; null: nothing, or it did not vanish. */
  readonly vanishedAs: 'closed' | 'deleted' | null;
  /** Its last day, `YYYY-MM-DD`, which was over when it vanished, or is over while a hold keeps that back; null: not so. */
  readonly expiredOn: string | null;
  /** Rejected because its attempts are used up, not by the platform's verdict on the payload. */
  readonly exhausted: boolean;
  /** What the source has otherwise than the ledger, and when that is seen, of `describeDifference`; null: nothing. */
  readonly difference: string | null;
  /** It is gone from the source, and the hold of its entity keeps that from being applied; null: not so. */
  readonly keptBack: { readonly onVanished: 'report' | 'close' | 'delete' } | null;
  /** Why its entity is held. `since`: ISO time. Null: it is not. */
  readonly entityHeld: { readonly message: string; readonly since: string } | null;
}

/** Why a record has the status it has, in one or two sentences. */
export function explainStatus(facts: StatusFacts): string {
  const { status, inLedger, keptBack, difference, entityHeld } = facts;
  // Of a record that no sweep has stored, only the source has something to say.
  const parts = keptBack
    ? [heldBack(facts, keptBack)]
    : !inLedger && status === 'pending'
      ? []
      : [because(facts)];
  if (facts.pausedUntil !== null && (status === 'pending' || status === 'deferred'))
    parts.push(`The platform asked for a pause: it is sent after the pause, at ${facts.pausedUntil}.`);
  if (facts.areaStopped !== null && ['pending', 'deferred', 'waiting'].includes(status))
    parts.push(`Nothing is sent to its area now. ${facts.areaStopped}`);
  if (difference !== null && keptBack === null) parts.push(difference);
  if (entityHeld !== null)
    parts.push(`The entity is held (since ${entityHeld.since}): ${withFullStop(entityHeld.message)}`);
  return parts.join(' ');
}

function heldBack(
  { acceptedAt, expiredOn }: StatusFacts,
  { onVanished }: NonNullable<StatusFacts['keptBack']>,
): string {
  const platform = acceptedAt ? 'the platform still holds it as before' : 'the platform has not accepted it';
  const after = {
    report: 'nothing more of it is sent',
    close: 'it is closed there',
    delete: 'it is deleted there',
  };
  // The platform ends such a record by itself.
  const next = expiredOn === null ? after[onVanished] : after.report;
  const expired = expiredOn === null ? '' : ` It has expired: its last day, ${expiredOn}, is over.`;
  return `It is no longer in the query’s result.${expired} The hold keeps that from being applied: ${platform}. After approve, ${next}.`;
}

function because(facts: StatusFacts): string {
  switch (facts.status) {
    case 'vanished':
      if (facts.expiredOn !== null)
        return `It has expired: its last day, ${facts.expiredOn}, was over when it left the query’s result. Nothing more is sent.`;
      return facts.vanishedAs === null
        ? 'It is no longer in the query’s result. Nothing more is sent.'
        : `It is no longer in the query’s result. It is ${facts.vanishedAs} at the platform.`;
    case 'invalid':
      return `This row has errors, so it is not sent${facts.acceptedAt ? '; the platform keeps what it holds' : ''}: ${facts.firstIssue ?? 'see issues'}`;
    case 'rejected':
      if (facts.atPlatform !== null && isTakenDown(facts.atPlatform.state))
        return takenDownBecause(facts.atPlatform);
      return facts.exhausted
        ? `It failed as often as retry.maxAttempts allows. Last error: ${withFullStop(facts.lastError ?? 'no message')} It is sent again when it changes, or after the command retry.`
        : `The platform refused this payload: ${withFullStop(facts.lastError ?? 'no message')} It is sent again when it changes, or after the command retry.`;
    case 'waiting':
      return `It waits for its parent: ${facts.waitsFor ?? 'unknown'}.`;
    case 'deferred':
      return `The last attempt failed (${facts.lastError ?? 'no message'}). The next one is due at ${facts.nextAttemptAt ?? 'an unknown time'}.`;
    case 'pending':
      if (facts.vanishedAs !== null) {
        return `It is no longer in the query’s result. It will be ${facts.vanishedAs} at the platform, after its children if it has any.`;
      }
      return facts.acceptedAt
        ? 'The desired payload differs from the acknowledged one. It will be sent.'
        : 'The platform has not accepted it yet. It will be sent.';
    case 'synced':
      return [accepted(facts), ...(facts.confirmAt === null ? [] : [confirmed(facts.confirmAt)])].join(' ');
  }
}

const confirmed = (at: string) => `An attempt had no reply and is confirmed after ${at}.`;

/** When the platform accepted what is desired, and what is known of it since. */
function accepted({ acceptedAt, lookedAt, drifted, atPlatform, confirmAt, difference }: StatusFacts): string {
  const what = `The platform accepted what ${difference === null ? 'is' : 'the last sweep'} desired${acceptedAt === null ? '' : ` at ${acceptedAt}`}`;
  if (drifted)
    return `${what}. A look at it${lookedAt === null ? '' : ` at ${lookedAt}`} found that the platform lacks it or holds something else. verify --key with --repair sends it again.`;
  if (atPlatform !== null && atPlatform.state !== 'live' && confirmAt === null)
    return `${what}, and ${stateText(atPlatform)}.${atPlatform.state === 'other' ? ' Another status was sent: look at it at the platform.' : ' The next verify asks again.'}`;
  const isSeen = lookedAt !== null && acceptedAt !== null && lookedAt >= acceptedAt;
  return isSeen
    ? `${what}. A look at it at ${lookedAt} found the same.`
    : `${what}. It was not looked at since.`;
}

function takenDownBecause(shown: ShownState): string {
  const again =
    shown.state === 'removed'
      ? 'It is sent again only by retry --removed or resync --key, whatever changes.'
      : 'It is sent again when it changes, or by retry --removed.';
  return `The platform accepted it, and now ${stateText(shown)}. ${again}`;
}

/** What is known of a parent that has no reference. */
interface ParentStanding {
  readonly entity: string;
  readonly key: string | null;
  /** By the ledger; null: the ledger does not have it. */
  readonly status: RecordStatus | null;
  /** The first error of its row, with the name of its field. */
  readonly firstIssue: string | null;
  /** Whether the parent's query has it now; null: it could not be asked. */
  readonly inSource: boolean | null;
  /** The key in its query that differs from it only in its form; null: none does. */
  readonly near: string | null;
  /** When a sweep of its entity was last applied, ISO time; null: never. */
  readonly sweptAt: string | null;
  /** Why and since when its entity is held; null: it is not. */
  readonly hold: { readonly message: string; readonly since: string } | null;
}

/** Why a parent has no reference yet, as part of a sentence that ends after it. */
export function describeParent(parent: ParentStanding): string {
  const { entity, key, status, firstIssue, inSource, near, sweptAt, hold } = parent;
  const named = key === null ? `its ${entity} record` : `${entity} "${key}"`;
  if (status === 'invalid') return `${named} is invalid${firstIssue === null ? '' : ` (${firstIssue})`}`;
  if (status === 'rejected') return `${named} was rejected by the platform`;
  if (status === 'vanished') return `${named} is no longer in its query's result`;
  if (status !== null) return `${named} has not been accepted yet (${status})`;
  if (inSource === false && key !== null && near !== null)
    return `no such record in the query of ${entity}, but its key ${JSON.stringify(near)} differs from ${JSON.stringify(key)} only by ${differenceOf(key, near).text}`;
  if (inSource === false) return `no such record in the query of ${entity}`;
  if (inSource === null) return `the ledger has no such record, and the query of ${entity} could not be read`;
  const wrong = firstIssue === null ? '' : `, and its row has errors: ${firstIssue}`;
  if (hold)
    return `${named} is in its query, but ${entity} are held since ${hold.since}: ${hold.message.replace(/\.$/, '')}${wrong}`;
  if (sweptAt === null) return `${named} is in its query, but no run has read ${entity} yet${wrong}`;
  return `${named} is in its query since the last sweep (${sweptAt}); the next sweep reads it${wrong}`;
}

/** How the row of a record stands against what the last applied sweep stored of it. */
export interface SourceDifference {
  /**
   * - `new`: the query has it, the ledger has not.
   * - `back`: it had vanished, and the query has it again.
   * - `gone`: the ledger has it, the query has not.
   * - `changed`: its payload is another one.
   * - `broken`, `corrected`: only now the row has errors, or none.
   */
  readonly kind: 'new' | 'back' | 'gone' | 'changed' | 'broken' | 'corrected';
  /** Fields of the body that differ; empty: not known. */
  readonly fields: readonly string[];
  /** When a sweep was last applied, ISO time; null: never. */
  readonly sweptAt: string | null;
  /** A guard keeps back what sweeps find. */
  readonly held: boolean;
  /** Query, lookups or settings are others than those of the last applied sweep. */
  readonly mappingChanged: boolean;
  /**
   * The row has the row version of the ledger, so sweeps pass over it. `until`: when the next full sweep is due, ISO
   * time. Null: the next sweep reads it.
   */
  readonly passedOver: { readonly until: string; readonly command: string } | null;
}

/** Most fields that are named. */
const NAMED = 8;

/** What the source has now, and why the ledger does not have it. `entity`: its name. */
export function describeDifference(entity: string, difference: SourceDifference): string {
  const { kind, fields, sweptAt, held, mappingChanged, passedOver } = difference;
  if (kind === 'gone')
    return held
      ? 'It is no longer in the query’s result. The hold keeps that from being applied.'
      : 'It is no longer in the query’s result; the next sweep will see that.';
  if (kind === 'new' && sweptAt === null && !held)
    return `No run has read ${entity} yet, so the ledger does not have this record. The next run reads it.`;
  const seen = SEEN[kind](named(fields));
  if (held) return `${seen} The hold keeps that from being applied.`;
  if (passedOver !== null)
    return `${seen} The query’s row_version did not change, so the sweeps did not read the row. It is read in full at ${passedOver.until} (sweep.fullEvery), or at once by: ${passedOver.command}`;
  const since = `since the last sweep${sweptAt === null ? '' : ` (${sweptAt})`}`;
  return mappingChanged && kind !== 'new' && kind !== 'back'
    ? `${seen} Query, lookups or settings changed ${since}; the next sweep reads every row.`
    : `${SINCE[kind](since, named(fields))}; the next sweep will read it.`;
}

type Kind = Exclude<SourceDifference['kind'], 'gone'>;

/** What is seen, as a sentence of its own. */
const SEEN: Readonly<Record<Kind, (fields: string) => string>> = {
  new: () => 'The query has this record, the ledger does not have it yet.',
  back: () => 'The query has this record again.',
  changed: (fields) => `The row has changed${fields}: the ledger has another payload.`,
  broken: () => 'The row has errors now; the ledger has it without errors.',
  corrected: () => 'The row has no errors now; the ledger has it with errors.',
};

/** The same for what a sweep will see. `since`: the last one. */
const SINCE: Readonly<Record<Kind, (since: string, fields: string) => string>> = {
  new: (since) => `The query has this record only ${since}`,
  back: (since) => `The query has this record again ${since}`,
  changed: (since, fields) => `The row has changed ${since}${fields}`,
  broken: (since) => `The row has errors ${since}`,
  corrected: (since) => `The row has no more errors ${since}`,
};

function named(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return ` in ${fields.slice(0, NAMED).join(', ')}${more}`;
}
