import { ABSENT, closedOf, isClosed, NOTHING, type Hash } from './hash.js';
import { type Rules } from './rules.js';

/**
 * The columns of one record in `sync_state` that carry the push protocol, with times as relations, and what the
 * statements of `src/core/ledger` do to them. `conformance.test.ts` checks each function here against its statement.
 */

/** A time of confirmation: null, passed, or `FIRST_DEADLINE + i`: the deadline of the attempt at position `i`. */
export const NO_CONFIRMATION = 0;
export const PASSED = 1;
export const FIRST_DEADLINE = 2;

/** A claim: none, of an older token than that of the push lease, of its own. */
export const UNCLAIMED = 0;
export const OLDER = 1;
export const CURRENT = 2;

export interface Row {
  exists: boolean;
  /** `parent_platform_id` is that of the other parent. */
  moved: boolean;
  desired: Hash;
  /** `desired_payload`, which stays when nothing or a deletion is desired. */
  desiredPayload: Hash;
  acknowledged: Hash;
  /** `acknowledged_payload`; while `known` null means: the desired one. */
  acknowledgedPayload: Hash;
  /** `acknowledged_at` is set. */
  known: boolean;
  /** `acknowledged_parent_platform_id` is that of the other parent. */
  knownMoved: boolean;
  refused: Hash;
  vanished: boolean;
  invalid: boolean;
  claim: number;
  /** Position of the attempt whose Request-Id is `last_request_id`; meaningless while unclaimed. */
  last: number;
  /** `confirm_at <= attempted_at`; meaningless while unclaimed. */
  due: boolean;
  /** `attempted_at` is set. */
  tried: boolean;
  confirm: number;
  /** `confirm_at` lies a retry's delay after what `confirm` says. */
  confirmDelayed: boolean;
  /** `next_attempt_at` lies in the future. */
  deferred: boolean;
  attempts: number;
  /** Only for a rule that is taken out: the payload of the attempt that is to be confirmed. */
  confirmHash: Hash;
}

export const NO_ROW: Row = {
  exists: false,
  moved: false,
  desired: NOTHING,
  desiredPayload: NOTHING,
  acknowledged: NOTHING,
  acknowledgedPayload: NOTHING,
  known: false,
  knownMoved: false,
  refused: NOTHING,
  vanished: false,
  invalid: false,
  claim: UNCLAIMED,
  last: 0,
  due: false,
  tried: false,
  confirm: NO_CONFIRMATION,
  confirmDelayed: false,
  deferred: false,
  attempts: 0,
  confirmHash: NOTHING,
};

/** What came of an attempt, as far as the row shows: `sent` is the payload's hash. */
export type RowOutcome =
  | { readonly kind: 'accepted'; readonly sent: Hash; readonly payload: Hash; readonly moved: boolean }
  | { readonly kind: 'refused'; readonly sent: Hash }
  | { readonly kind: 'deferred'; readonly sent: Hash; readonly known: boolean }
  | {
      readonly kind: 'handed-back';
      readonly sent: Hash;
      readonly known: boolean;
      readonly triedBefore: boolean;
    };

export interface RowFinding {
  readonly kind: 'new' | 'changed' | 'invalid' | 'vanished';
  readonly desired: Hash;
  readonly payload: Hash;
  /** Under the other parent; null: as it was. */
  readonly moved: boolean | null;
}

export type RowStatus = 'vanished' | 'invalid' | 'rejected' | 'deferred' | 'pending' | 'synced';

const differs = (row: Row) => row.desired !== NOTHING && row.desired !== row.acknowledged;
const isSendable = (row: Row) =>
  row.desired !== NOTHING &&
  !row.invalid &&
  row.refused !== row.desired &&
  (row.desired !== row.acknowledged || row.confirm !== NO_CONFIRMATION);
export const isSettled = (row: Row): boolean =>
  !row.vanished &&
  !row.invalid &&
  row.confirm === NO_CONFIRMATION &&
  row.desired !== NOTHING &&
  row.desired === row.acknowledged &&
  row.refused !== row.desired;

/** Its parent has a reference. */
export function statusOf(row: Row): RowStatus {
  if (
    row.vanished &&
    (row.desired === NOTHING || (row.desired === row.acknowledged && row.confirm === NO_CONFIRMATION))
  ) {
    return 'vanished';
  }
  if (row.invalid) return 'invalid';
  if (row.refused !== NOTHING && row.refused === row.desired) return 'rejected';
  const toSend = differs(row) || (row.confirm === PASSED && !row.confirmDelayed);
  if (row.deferred && toSend) return 'deferred';
  return toSend ? 'pending' : 'synced';
}

export function isClaimable(row: Row): boolean {
  return row.exists && row.claim === UNCLAIMED && isSendable(row) && statusOf(row) === 'pending';
}

/** What the platform accepted of it can be put again unchanged, as a control. */
export function isControllable(row: Row): boolean {
  const isUntouched = row.exists && row.claim === UNCLAIMED && !row.vanished && row.attempts === 0;
  const isCertain = row.confirm === NO_CONFIRMATION && row.knownMoved === row.moved;
  const isHeld = row.acknowledged !== NOTHING && row.acknowledged !== ABSENT;
  return isUntouched && isCertain && isHeld && (row.refused === NOTHING || row.refused !== row.desired);
}

/** `position`: of the new attempt. */
export function claim(row: Row, position: number): void {
  row.claim = CURRENT;
  row.last = position;
  row.due = row.confirm === NO_CONFIRMATION || (row.confirm === PASSED && !row.confirmDelayed);
  row.tried = true;
}

export function close(row: Row): void {
  row.claim = UNCLAIMED;
  row.last = 0;
  row.due = false;
}

/** `deadline`: of the open claim's attempt, as a time of confirmation. */
export function confirmLater(row: Row, deadline: number, rules: Rules, sent: Hash): void {
  if (row.claim === UNCLAIMED || rules.confirm === 'none') return;
  row.confirm = Math.max(row.confirm, deadline);
  if (rules.confirm === 'unless-accepted') row.confirmHash = sent;
}

/** Of an outcome that counts. */
export function record(row: Row, outcome: RowOutcome, deadline: number, rules: Rules): void {
  switch (outcome.kind) {
    case 'accepted': {
      const accepted = rules.confirm === 'unless-accepted' && row.confirmHash === outcome.sent;
      row.acknowledged = outcome.sent;
      row.acknowledgedPayload = row.desired === outcome.sent ? NOTHING : outcome.payload;
      row.known = true;
      row.knownMoved = outcome.moved;
      if (row.due || !rules.clearing || accepted) {
        row.confirm = NO_CONFIRMATION;
        row.confirmDelayed = false;
        row.confirmHash = NOTHING;
      }
      row.refused = NOTHING;
      row.attempts = 0;
      row.deferred = false;
      break;
    }
    case 'refused':
      if (row.desired === outcome.sent) row.refused = outcome.sent;
      break;
    case 'deferred': {
      const confirmation = outcome.known && row.acknowledged === row.desired;
      if (!outcome.known) {
        row.acknowledged = NOTHING;
        confirmLater(row, deadline, rules, outcome.sent);
      } else if (confirmation && row.confirm !== NO_CONFIRMATION) {
        row.confirmDelayed = true;
      }
      if (row.desired === outcome.sent && !confirmation) {
        row.attempts += 1;
        row.deferred = true;
      }
      break;
    }
    case 'handed-back':
      if (outcome.known) row.tried = outcome.triedBefore;
      else {
        row.acknowledged = NOTHING;
        confirmLater(row, deadline, rules, outcome.sent);
      }
  }
  close(row);
}

export function takeOver(row: Row, deadline: number, rules: Rules, sent: Hash): void {
  if (row.claim === UNCLAIMED || rules.takeOver === 'none') return;
  // By the token alone a repeated one looks like one's own.
  if (row.claim === CURRENT && !rules.nonce) return;
  if (rules.takeOver === 'ends') {
    confirmLater(row, deadline, rules, sent);
    row.acknowledged = NOTHING;
  }
  close(row);
}

export type ResendRequest = 'resync' | 'resync-key' | 'refresh' | 'new-reference';

/** Whether the request reaches the record. `sent`: by its open claim. A new reference is that of the first parent. */
export function isResent(row: Row, request: ResendRequest, rules: Rules, sent: Hash): boolean {
  if (!row.exists) return false;
  switch (request) {
    case 'resync':
      return !row.vanished || isSendable(row) || (row.desired === NOTHING && row.acknowledged !== NOTHING);
    case 'resync-key':
      return row.desired !== ABSENT || row.acknowledged !== ABSENT;
    case 'refresh':
      return isSettled(row) && !isClosed(row.desiredPayload);
    case 'new-reference': {
      const claimed = row.claim !== UNCLAIMED;
      const leftToSend =
        !row.vanished || (rules.vanishedResent && (claimed || row.desired !== row.acknowledged));
      const heldUnderIt = row.known && !row.knownMoved;
      const sentUnderAny = claimed && sent !== row.desired;
      return row.moved ? rules.movedResent && (heldUnderIt || sentUnderAny) : leftToSend;
    }
  }
}

export function applyResend(
  row: Row,
  request: ResendRequest,
  deadline: number,
  rules: Rules,
  sent: Hash,
): void {
  if (!isResent(row, request, rules, sent)) return;
  if (rules.resends === 'end') confirmLater(row, deadline, rules, sent);
  if (rules.resends !== 'leave') close(row);
  row.acknowledged = NOTHING;
  if (request === 'resync' || request === 'resync-key') {
    row.refused = NOTHING;
    row.attempts = 0;
    row.deferred = false;
  }
}

/** What `acknowledged_payload` becomes when a finding is published. */
function acknowledgedPayload(row: Row, { desired, payload }: RowFinding, rules: Rules): Hash {
  if (desired === NOTHING || desired === row.desired) return row.acknowledgedPayload;
  if (desired === row.acknowledged) return NOTHING;
  if (payload === NOTHING || !row.known) return row.acknowledgedPayload;
  return (rules.keepsAccepted && row.acknowledgedPayload) || row.desiredPayload;
}

export function publish(row: Row, finding: RowFinding, rules: Rules): void {
  const vanishes = finding.kind === 'vanished';
  if (vanishes && row.claim === UNCLAIMED && !row.known && (!row.tried || !rules.triedStay)) {
    Object.assign(row, NO_ROW);
    return;
  }
  if (rules.returns === 'noted' && row.vanished && finding.desired !== NOTHING)
    compareWithNoted(row, finding);
  row.acknowledgedPayload = acknowledgedPayload(row, finding, rules);
  if (finding.payload !== NOTHING) row.desiredPayload = finding.payload;
  if (vanishes) {
    if (finding.moved !== null) row.moved = finding.moved;
    if (finding.desired !== NOTHING || rules.reportedDropped) row.desired = finding.desired;
    if (!rules.vanishedConfirmed) {
      row.confirm = NO_CONFIRMATION;
      row.confirmDelayed = false;
    }
    armAnew(row);
  } else {
    if (!row.exists || finding.desired !== NOTHING) row.moved = finding.moved === true;
    if (finding.desired !== NOTHING && finding.desired !== row.desired) {
      row.desired = finding.desired;
      armAnew(row);
    }
    row.exists = true;
  }
  row.vanished = vanishes;
  row.invalid = finding.kind === 'invalid';
}

function armAnew(row: Row): void {
  row.refused = NOTHING;
  row.attempts = 0;
  row.deferred = false;
}

/** Only for a rule that is taken out. */
function compareWithNoted(row: Row, { desired }: RowFinding): void {
  const noted = row.desiredPayload;
  if (noted === desired || noted === closedOf(desired)) row.acknowledged = desired;
}

/** `verify --all --repair` after a restore. `same`: the platform holds what counts as acknowledged. */
export function verify(row: Row, same: boolean, deadline: number, rules: Rules, sent: Hash): void {
  if (!row.exists || rules.verified === 'none') return;
  if (isSettled(row) && row.claim === UNCLAIMED) {
    if (!same) applyResend(row, 'resync-key', NO_CONFIRMATION, rules, NOTHING);
  } else if (rules.verified === 'all') distrust(row, deadline, rules, sent);
}

/** Of what is not settled nothing is believed any more, and what is under way ends like an attempt without reply. */
export function distrust(row: Row, deadline: number, rules: Rules, sent: Hash): void {
  const over = isSettled(row) || (row.vanished && row.desired === row.acknowledged);
  if (!row.exists || (row.claim === UNCLAIMED && over)) return;
  confirmLater(row, deadline, rules, sent);
  close(row);
  row.acknowledged = NOTHING;
}
