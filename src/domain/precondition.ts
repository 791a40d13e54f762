import { oneLine } from './reply/reply.js';

/**
 * What a Put or a delete asks the platform to check first (RFC 9110 §13.1), so that nothing is overwritten that somebody else
 * has changed: `conditionOf`. A platform that refuses the condition (412), or that misses one (428), is asked for the record;
 * what it shows decides whether the request goes again with the ETag of now, or a person has to decide (`endConflict`).
 */

/** `platform.precondition`. */
export const PRECONDITIONS = ['none', 'if-match', 'if-match-or-none-match'] as const;

export type Precondition = (typeof PRECONDITIONS)[number];

/** The header of one request. */
export type Condition = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

/** In place of a record's ETag: a person wants it overwritten, whatever the platform holds. */
export const ANY_ETAG = '*';

/** What the ledger knows of the record. */
interface KnownRecord {
  /** As the platform gave it last, or `ANY_ETAG`; null: none. */
  readonly etag: string | null;
  /** The platform has never accepted it. */
  readonly unacknowledged: boolean;
}

/** The condition of a request; null: none. A PATCH is about another record than the one that it names. */
export function conditionOf(
  precondition: Precondition,
  method: string,
  { etag, unacknowledged }: KnownRecord,
): Condition | null {
  if (precondition === 'none' || method === 'PATCH') return null;
  if (etag !== null) return { ifMatch: etag };
  return precondition === 'if-match-or-none-match' && unacknowledged && method !== 'DELETE'
    ? { ifNoneMatch: '*' }
    : null;
}

/** A request whose condition was refused or missed. */
interface Conflict extends KnownRecord {
  readonly precondition: Precondition;
  readonly method: string;
  /** What it was sent with; null: nothing. */
  readonly sent: Condition | null;
  readonly statusCode: number;
}

/** What the platform holds of the record. */
export type HeldRecord =
  | {
      readonly kind: 'held';
      readonly etag: string | null;
      /** Fields in which it is neither what was accepted nor what is sent. */
      readonly differing: readonly string[];
    }
  /** `ours`: we have deleted it, or may have. */
  | { readonly kind: 'missing'; readonly ours: boolean }
  /** It could not be read back. */
  | { readonly kind: 'unanswered'; readonly message: string }
  /** Its Find is not enabled, or there is none. */
  | { readonly kind: 'unreadable'; readonly find: string }
  /** Nobody was asked: the push ends, or the platform asked to wait. */
  | { readonly kind: 'unasked' };

/**
 * - `again`: nobody else has changed it, or a person wants it overwritten. `etag`: what the ledger keeps from now on.
 * - `changed`: somebody else has changed it, so a person decides.
 * - `later`: nothing is known; it is tried again.
 * - `unasked`: as if it had not been sent.
 * - `unusable`: no record can be sent so.
 */
export type ConflictEnd =
  | { readonly kind: 'again'; readonly condition: Condition | null; readonly etag: string | null }
  | { readonly kind: 'changed' | 'later'; readonly message: string }
  | { readonly kind: 'unasked' }
  | { readonly kind: 'unusable'; readonly message: string; readonly hint: string };

export function endConflict(conflict: Conflict, held: HeldRecord): ConflictEnd {
  const { statusCode, etag, sent } = conflict;
  const status = `HTTP ${statusCode}`;
  switch (held.kind) {
    case 'unasked':
      return held;
    case 'unanswered':
      return later(`${status}, and the record could not be read back: ${held.message}`);
    case 'unreadable':
      return endOfUnreadable(statusCode, held.find);
    case 'missing':
      return endOfMissing(conflict, status, held.ours);
    case 'held': {
      const overwrites = etag === ANY_ETAG;
      if (held.differing.length > 0 && !overwrites) return changed(conflict, held.differing);
      if (held.etag === null)
        return {
          kind: 'unusable',
          message: `${status}, and the Find shows no ETag`,
          hint: 'Without one, platform.precondition cannot be used here. If any condition will do: platform.precondition: none, and platform.headers: { If-Match: "*" }.',
        };
      if (sent !== null && 'ifMatch' in sent && sent.ifMatch === held.etag)
        return {
          kind: 'unusable',
          message: `${status} to the very ETag that its Find shows`,
          hint: 'Something in between may change ETags when it compresses replies: platform.headers: { Accept-Encoding: identity }. If it begins with W/, the platform may take none: platform.precondition: none.',
        };
      return {
        kind: 'again',
        condition: { ifMatch: held.etag },
        etag: overwrites ? ANY_ETAG : held.etag,
      };
    }
  }
}

function endOfMissing(
  { precondition, method, sent, etag, unacknowledged }: Conflict,
  status: string,
  ours: boolean,
): ConflictEnd {
  if (!ours && !unacknowledged && etag !== ANY_ETAG && method !== 'DELETE')
    return {
      kind: 'changed',
      message: `Somebody else has deleted it at the platform since it was accepted, so it is not sent (${status}). ${DECIDE}`,
    };
  const isNew = method !== 'DELETE' && precondition === 'if-match-or-none-match';
  const condition: Condition | null = isNew ? { ifNoneMatch: '*' } : null;
  const isOther = sent === null ? condition !== null : condition === null || 'ifMatch' in sent;
  if (isOther) return { kind: 'again', condition, etag: null };
  if (sent === null)
    return {
      kind: 'unusable',
      message: `${status} to a record that the platform does not have`,
      hint: 'It wants a condition for new records too: platform.precondition: if-match-or-none-match.',
    };
  return later(`${status} to If-None-Match, although its Find shows no such record`);
}

/** Without an ETag nothing can be sent; with an old one, only this record cannot. */
function endOfUnreadable(statusCode: number, find: string): ConflictEnd {
  const setting = `platform.operations.${find}`;
  return statusCode === 428
    ? {
        kind: 'unusable',
        message: `HTTP 428, and ${setting} is not enabled`,
        hint: `Enable it: ${find} shows the ETag of a record.`,
      }
    : {
        kind: 'changed',
        message: `Somebody else may have changed it at the platform, and ${setting} is not enabled, so it is not overwritten (HTTP ${statusCode}). ${DECIDE}`,
      };
}

const DECIDE = '`placement-sync retry` sends it all the same.';

function changed({ statusCode, unacknowledged }: Conflict, differing: readonly string[]): ConflictEnd {
  const fields = differing.join(', ');
  const what = unacknowledged
    ? `The platform has it already, with other content (${fields})`
    : `Somebody else has changed it at the platform since it was accepted (${fields})`;
  return {
    kind: 'changed',
    message: oneLine(`${what}, so it is not overwritten (HTTP ${statusCode}). ${DECIDE}`),
  };
}

function later(message: string): ConflictEnd {
  return { kind: 'later', message: oneLine(message) };
}
