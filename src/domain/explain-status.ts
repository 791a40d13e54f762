import type { RecordStatus } from './record-status.js';
import { withFullStop } from './with-full-stop.js';

/** The facts that explain a record's status. */
export interface StatusFacts {
  readonly status: RecordStatus;
  readonly inLedger: boolean;
  readonly everAcknowledged: boolean;
  readonly lastError: string | null;
  /** With the name of its field. */
  readonly firstIssue: string | null;
  readonly waitsFor: string | null;
  readonly nextAttemptAt: string | null;
  /** ISO time until which the platform asked not to be sent anything; null: it did not. */
  readonly pausedUntil: string | null;
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
  /** An application status that names a person: the person's latest application is not the ledger's. */
  readonly newerApplication: boolean;
  /** Why its entity is held. `since`: ISO time. Null: it is not. */
  readonly entityHeld: { readonly message: string; readonly since: string } | null;
}

/** Why a record has the status it has, in one or two sentences. Pure. */
export function explainStatus(facts: StatusFacts): string {
  const { status, inLedger, keptBack, difference, entityHeld, newerApplication } = facts;
  // Of a record that no sweep has stored, only the source has something to say.
  const parts = keptBack
    ? [heldBack(facts, keptBack)]
    : !inLedger && status === 'pending'
      ? []
      : [because(facts)];
  if (facts.pausedUntil !== null && (status === 'pending' || status === 'deferred'))
    parts.push(`The platform asked for a pause: it is sent after the pause, at ${facts.pausedUntil}.`);
  if (difference !== null && keptBack === null) parts.push(difference);
  if (entityHeld !== null)
    parts.push(`The entity is held (since ${entityHeld.since}): ${withFullStop(entityHeld.message)}`);
  if (newerApplication)
    parts.push(
      'The same person has applied again since. A change of the row, or the next full sweep, sends the status to the new application.',
    );
  return parts.join(' ');
}

function heldBack(
  { everAcknowledged, expiredOn }: StatusFacts,
  { onVanished }: NonNullable<StatusFacts['keptBack']>,
): string {
  const platform = everAcknowledged
    ? 'the platform still holds it as before'
    : 'the platform has not accepted it';
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
      return `This row has errors, so it is not sent${facts.everAcknowledged ? '; the platform keeps what it holds' : ''}: ${facts.firstIssue ?? 'see issues'}`;
    case 'rejected':
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
      return facts.everAcknowledged
        ? 'The desired payload differs from the acknowledged one. It will be sent.'
        : 'The platform has not accepted it yet. It will be sent.';
    case 'synced':
      return facts.confirmAt === null
        ? `The platform holds what ${facts.difference === null ? 'is' : 'the last sweep'} desired.`
        : `The platform holds what is desired. An attempt had no reply and is confirmed after ${facts.confirmAt}.`;
  }
}
