import type { RecordStatus } from './record-status.js';
import { withFullStop } from './with-full-stop.js';

/** The facts that explain a record's status. */
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
  /** What was desired when it vanished; null: nothing, or it did not vanish. */
  readonly vanishedAs: 'closed' | 'deleted' | null;
  /** Rejected because its attempts are used up, not by the platform's verdict on the payload. */
  readonly exhausted: boolean;
  /** The row differs from what the ledger desires, or is gone: the next sweep will see it. */
  readonly sourceDiffers: boolean;
  /** It is gone from the source, and the hold of its entity keeps that from being applied; null: not so. */
  readonly keptBack: { readonly onVanished: 'report' | 'close' | 'delete' } | null;
  /** An application status that names a person: the person's latest application is not the ledger's. */
  readonly newerApplication: boolean;
  readonly entityHeld: string | null;
}

/** Why a record has the status it has, in one or two sentences. Pure. */
export function explainStatus(facts: StatusFacts): string {
  const parts = [facts.keptBack === null ? because(facts) : heldBack(facts, facts.keptBack)];
  if (facts.entityHeld !== null) parts.push(`The entity is held: ${facts.entityHeld}`);
  if (facts.sourceDiffers && facts.keptBack === null)
    parts.push(
      facts.inSource
        ? 'The row has changed since the last sweep; the next sweep will read it.'
        : 'It is no longer in the query’s result; the next sweep will see that.',
    );
  if (facts.newerApplication)
    parts.push(
      'The same person has applied again since. A change of the row, or the next full sweep, sends the status to the new application.',
    );
  return parts.join(' ');
}

function heldBack(
  { everAcknowledged }: StatusFacts,
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
  return `It is no longer in the query’s result. The hold keeps that from being applied: ${platform}. After approve, ${after[onVanished]}.`;
}

function because(facts: StatusFacts): string {
  switch (facts.status) {
    case 'vanished':
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
        ? 'The platform holds what is desired.'
        : `The platform holds what is desired. An attempt had no reply and is confirmed after ${facts.confirmAt}.`;
  }
}
