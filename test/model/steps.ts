import { ABSENT, isClosed } from './hash.js';
import {
  applyResend,
  claim,
  CURRENT,
  FIRST_DEADLINE,
  isClaimable,
  isResent,
  OLDER,
  PASSED,
  record,
  takeOver,
  type ResendRequest,
} from './ledger-row.js';
import { named } from './named.js';
import { ACCEPTED, FAULTS, knownEffect, knownOutcome, REFUSED, REPLIES } from './product.js';
import type { Protocol, Step, Take } from './protocol.js';
import { stepsOfRestore } from './steps-of-restore.js';
import { stepsOfSweep } from './steps-of-sweep.js';
import { tidy } from './tidy.js';
import { AWAITING, copy, FIRST_REPLY, GONE, type Attempt, type World } from './world-state.js';

/** Every step that the world can take. */
export function eachStep(world: World, protocol: Protocol, take: Take): void {
  const step = (calm: boolean, change: (next: World) => void, text: () => string) => {
    const next = copy(world);
    change(next);
    tidy(next, protocol);
    take(next, calm, text);
  };
  stepsOfSweep(world, protocol, step);
  stepsOfPush(world, protocol, step);
  stepsOfRequests(world, step);
  stepsOfTime(world, step);
  stepsOfResends(world, protocol, step);
  stepsOfRestore(world, protocol, step);
}

function stepsOfPush(world: World, { rules }: Protocol, step: Step): void {
  const { row, attempts } = world;
  // While a former holder claims under the same token, it is the one that does.
  if (world.stray || (world.alive && world.tookOver)) {
    if (isClaimable(row)) {
      step(
        true,
        (next) => {
          next.split ||= world.stray;
          next.attempts.push({
            sent: row.desired,
            moved: row.moved,
            reference: row.moved || row.desired === ABSENT ? 0 : world.parent,
            current: true,
            client: AWAITING,
            late: false,
            expired: false,
            triedBefore: row.tried,
            number: world.claims + 1,
          });
          next.claims += 1;
          claim(next.row, attempts.length);
        },
        () =>
          `${world.stray ? 'a former holder of the same token: ' : ''}claim of ${named(row.desired)}, request ${world.claims + 1} leaves`,
      );
    }
  }
  attempts.forEach(({ client, sent, moved, current, triedBefore, number }, at) => {
    if (client < FIRST_REPLY) return;
    const reply = client - FIRST_REPLY;
    const counts = row.claim === (current ? CURRENT : OLDER) && (row.last === at || !rules.fence);
    step(
      true,
      (next) => {
        change(next, at).client = GONE;
        if (!counts) return;
        const outcome = knownOutcome(sent, moved, reply, triedBefore);
        record(next.row, outcome, deadlineOfClaim(world), rules);
        if (outcome.kind !== 'accepted') return;
        next.accepted = outcome.sent;
        next.closedBefore = false;
      },
      () =>
        `outcome of request ${number} (${REPLIES[reply]?.name ?? ''}) ${counts ? 'is written' : 'does not count'}`,
    );
  });
  if (world.alive && !world.tookOver) {
    step(
      true,
      (next) => {
        next.tookOver = true;
        takeOver(next.row, deadlineOfClaim(world), rules, sentByClaim(world));
      },
      () => 'the new holder of the push lease takes over',
    );
  }
  if (!world.alive) {
    step(true, acquire, () => 'another process takes the push lease');
  }
  if (world.kills === 0 || !world.alive || world.stray) return;
  step(
    false,
    (next) => {
      next.kills -= 1;
      next.alive = false;
      cutOff(next);
    },
    () => 'the pusher is killed',
  );
  step(
    false,
    (next) => {
      next.kills -= 1;
      acquire(next);
    },
    () => 'the pusher loses its lease, another process takes it',
  );
}

/** Nobody waits any more for what was claimed under the present token; it may still arrive. */
export function cutOff(next: World): void {
  for (const attempt of next.attempts.filter((each) => each.current)) {
    attempt.late ||= attempt.client === AWAITING;
    attempt.client = GONE;
  }
}

export function acquire(next: World): void {
  next.alive = true;
  next.tookOver = false;
  for (const attempt of next.attempts) attempt.current = false;
  if (next.row.claim === CURRENT) next.row.claim = OLDER;
  if (next.kept?.claim === CURRENT) next.kept.claim = OLDER;
  next.keptHeld = false;
}

function stepsOfRequests(world: World, step: Step): void {
  world.attempts.forEach(({ client, late, sent, moved, reference, number }, at) => {
    if (client !== AWAITING && !late) return;
    const name = `request ${number} of ${named(sent)}${reference > 0 ? ' under the new reference' : ''}`;
    const answer = (attempt: Attempt, reply: number) => {
      if (client === AWAITING) attempt.client = FIRST_REPLY + reply;
      attempt.late = false;
    };
    if ((world.refuses >> sent) & 1) {
      step(
        true,
        (next) => answer(change(next, at), REFUSED),
        () => `${name} arrives and is refused`,
      );
    } else {
      step(
        true,
        (next) => {
          const effect = knownEffect(sent, moved, reference);
          next.platform = effect.platform;
          next.platformReference = effect.reference;
          answer(change(next, at), ACCEPTED);
        },
        () => `${name} arrives${late ? ' late' : ''} and is applied`,
      );
      if (world.refusals > 0) {
        step(
          false,
          (next) => {
            next.refusals -= 1;
            next.refuses |= 1 << sent;
            answer(change(next, at), REFUSED);
          },
          () => `${name} arrives${late ? ' late' : ''}; the platform refuses it from now on`,
        );
      }
    }
    if (client !== AWAITING || world.faults === 0) return;
    for (const fault of FAULTS) {
      step(
        false,
        (next) => {
          next.faults -= 1;
          const attempt = change(next, at);
          attempt.client = FIRST_REPLY + fault.reply;
          attempt.late = fault.late;
        },
        () => `fault: ${name}: ${REPLIES[fault.reply]?.name ?? ''}`,
      );
    }
  });
}

/** Times pass in the order of the claims; a request without reply is over by then. */
function stepsOfTime(world: World, step: Step): void {
  const { row, attempts } = world;
  const at = attempts.findIndex(({ expired }) => !expired);
  if (at >= 0 && attempts[at]?.client !== AWAITING) {
    step(
      true,
      (next) => {
        const attempt = change(next, at);
        attempt.expired = true;
        attempt.late = false;
        for (const each of next.kept ? [next.row, next.kept] : [next.row])
          if (each.confirm === FIRST_DEADLINE + at) each.confirm = PASSED;
      },
      () => `twice the time-out has passed since the claim of request ${attempts[at]?.number}`,
    );
  }
  if (row.deferred) {
    step(
      true,
      (next) => {
        next.row.deferred = false;
      },
      () => 'the time of the next attempt comes',
    );
  }
  if (row.confirmDelayed) {
    step(
      true,
      (next) => {
        next.row.confirmDelayed = false;
      },
      () => 'the time of the next confirmation comes',
    );
  }
}

function stepsOfResends(world: World, { rules, resends }: Protocol, step: Step): void {
  const request = (next: World, kind: ResendRequest) =>
    applyResend(next.row, kind, deadlineOfClaim(world), rules, sentByClaim(world));
  if (world.resends > 0) {
    for (const kind of resends.filter((each) => isResent(world.row, each, rules, sentByClaim(world)))) {
      step(
        false,
        (next) => {
          next.resends -= 1;
          request(next, kind);
        },
        () => `resend: ${kind}`,
      );
    }
  }
  if (world.parents > 0) {
    step(
      false,
      (next) => {
        next.parents -= 1;
        next.parent = 1;
        next.closedBefore = world.row.vanished && isClosed(world.row.acknowledged);
        request(next, 'new-reference');
      },
      () => 'the parent comes back with another reference',
    );
  }
}

function change(next: World, at: number): Attempt {
  const attempt = next.attempts[at];
  if (!attempt) throw new Error('no such attempt');
  return attempt;
}

/** Deadline of the attempt that has the record, as a time of confirmation. */
export function deadlineOfClaim({ row, attempts }: World): number {
  return attempts[row.last]?.expired === true ? PASSED : FIRST_DEADLINE + row.last;
}

export const sentByClaim = ({ row, attempts }: World) => attempts[row.last]?.sent ?? 0;
