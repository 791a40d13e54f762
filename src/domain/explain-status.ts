import type { RecordStatus } from './record-status.js';

/** What is known of a record when its status is put into words. */
export interface StatusFacts {
  readonly status: RecordStatus;
  readonly inSource: boolean;
  readonly everAcknowledged: boolean;
  readonly lastError: string | null;
  /** With the name of its field. */
  readonly firstIssue: string | null;
  readonly waitsFor: string | null;
  readonly nextAttemptAt: string | null;
  readonly confirmAt: string | null;
  /** What was wanted of it when it vanished; null: it did not, or nothing. */
  readonly vanishedAs: 'closed' | 'deleted' | null;
  /** Used up all its attempts, so that it is not the platform's verdict on its payload. */
  readonly exhausted: boolean;
  /** The row wants something else than the ledger: the next sweep will see it. */
  readonly sourceDiffers: boolean;
  /** Of an application status that names a person: another application than that of the ledger is the latest. */
  readonly newerApplication: boolean;
  readonly entityHeld: string | null;
}

/** Why a record has the status it has, in one or two sentences. Pure. */
export function explainStatus(facts: StatusFacts): string {
  const parts = [because(facts)];
  if (facts.entityHeld !== null) parts.push(`The entity is held: ${facts.entityHeld}`);
  if (facts.sourceDiffers)
    parts.push('The source has changed since the last sweep; the next one will see it.');
  if (facts.newerApplication)
    parts.push(
      'A newer application of the same person has come since; a change of the row, or the next full sweep, sends the status to that one.',
    );
  return parts.join(' ');
}

function because(facts: StatusFacts): string {
  switch (facts.status) {
    case 'vanished':
      return facts.vanishedAs === null
        ? 'It is no longer in the query’s result, and nothing more is sent of it.'
        : `It is no longer in the query’s result, and it is ${facts.vanishedAs} at the platform.`;
    case 'invalid':
      return `Its row does not make a valid payload, so nothing is sent of it${facts.everAcknowledged ? '; the platform keeps what it holds' : ''}: ${facts.firstIssue ?? 'see issues'}`;
    case 'rejected':
      return facts.exhausted
        ? `It failed as often as retry.maxAttempts allows, at last with: ${ended(facts.lastError ?? 'no message')} It is not sent again until it changes or is re-armed with retry.`
        : `The platform refused this very payload: ${ended(facts.lastError ?? 'no message')} It is not sent again until it changes or is re-armed with retry.`;
    case 'waiting':
      return `It waits for its parent: ${facts.waitsFor ?? 'unknown'}.`;
    case 'deferred':
      return `The last attempt failed (${facts.lastError ?? 'no message'}); it is due again at ${facts.nextAttemptAt ?? 'an unknown time'}.`;
    case 'pending':
      if (facts.vanishedAs !== null) {
        return `It is no longer in the query’s result, and will be ${facts.vanishedAs} at the platform, after its children if it has any.`;
      }
      return facts.everAcknowledged
        ? 'What is wanted differs from what the platform is known to hold; it will be sent.'
        : 'The platform is not known to have it; it will be sent.';
    case 'synced':
      return facts.confirmAt === null
        ? 'The platform holds what is wanted.'
        : `The platform holds what is wanted; an attempt without reply is confirmed after ${facts.confirmAt}.`;
  }
}

/** With one full stop at its end. */
function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
