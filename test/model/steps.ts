import type { VanishedPolicy } from '../../src/core/domain/guard.js';
import {
  ABSENT,
  closedOf,
  type Hash,
  isClosed,
  NOTHING,
  payloadOf,
  type SourceValue,
  sourceValues,
} from './hash.js';
import {
  applyResend,
  claim,
  CURRENT,
  FIRST_DEADLINE,
  isClaimable,
  isControllable,
  isResent,
  OLDER,
  PASSED,
  publish,
  record,
  type ResendRequest,
  type RowFinding,
  takeOver,
  UNCLAIMED,
} from './ledger-row.js';
import { ACCEPTED, FAULTS, knownEffect, knownOutcome, REFUSED, REPLIES } from './product.js';
import type { Protocol, Step, Take } from './protocol.js';
import type { Rules } from './rules.js';
import { stepsOfRestore } from './steps-of-restore.js';
import {
  acquire,
  type Attempt,
  AWAITING,
  copy,
  cutOff,
  deadlineOfClaim,
  FIRST_REPLY,
  GONE,
  sentByClaim,
  type World,
} from './world-state.js';

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
  stepsOfTime(world, protocol, step);
  stepsOfResends(world, protocol, step);
  stepsOfRestore(world, protocol, step);
}

function stepsOfPush(world: World, { rules }: Protocol, step: Step): void {
  const { row, attempts } = world;
  // While a former holder claims under the same token, it is the one that does.
  if (world.stray || (world.alive && world.tookOver)) {
    const send = (next: World, sent: Hash, isControl: boolean) => {
      next.split ||= world.stray;
      next.attempts.push({
        sent,
        moved: row.moved,
        reference: row.moved || sent === ABSENT ? 0 : world.parent,
        current: true,
        client: AWAITING,
        late: false,
        expired: false,
        triedBefore: row.tried,
        number: world.claims + 1,
      });
      next.claims += 1;
      next.isControl = isControl;
      claim(next.row, attempts.length);
    };
    const who = world.stray ? 'a former holder of the same token: ' : '';
    if (isClaimable(row)) {
      step(
        true,
        (next) => send(next, row.desired, false),
        () => `${who}claim of ${named(row.desired)}, request ${world.claims + 1} leaves`,
      );
    }
    if (world.controls > 0 && isControllable(row)) {
      step(
        false,
        (next) => {
          next.controls -= 1;
          send(next, row.acknowledged, true);
        },
        () => `${who}control with ${named(row.acknowledged)}, request ${world.claims + 1} leaves`,
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
        const outcome = knownOutcome(sent, moved, reply, triedBefore, world.isControl);
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
    () =>
      'the pusher stands still, also between its last question and a write, and another process takes its lease',
  );
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
function stepsOfTime(world: World, { rules }: Protocol, step: Step): void {
  const { row, attempts } = world;
  const at = attempts.findIndex(({ expired }) => !expired);
  if (at >= 0 && attempts[at]?.client !== AWAITING) {
    step(
      true,
      (next) => {
        const attempt = change(next, at);
        attempt.expired = true;
        // What stood between the question and the write was written meanwhile, and is confirmed.
        if (rules.asksAtWrite) attempt.late = false;
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

/**
 * Only a sweep changes what a sweep looks at, so reading and publishing is one step; but not of a closing, which is made
 * of what was accepted.
 */
function stepsOfSweep(world: World, { findings, policy, rules }: Protocol, step: Step): void {
  const finding = world.staged === NOTHING ? findings(world.source, world.row) : null;
  if (finding && isClosing(finding)) {
    step(
      true,
      (next) => {
        next.staged = finding.desired;
        next.stagedMoved = finding.moved === true;
        next.misclosed ||= finding.desired !== closedOf(world.accepted || world.row.desired);
      },
      () => `a sweep finds it gone and stages ${named(finding.desired)}`,
    );
  } else if (finding) {
    step(
      true,
      ({ row }) => publish(row, finding, rules),
      () => `a sweep publishes ${namedSource(world.source)}`,
    );
  }
  if (world.staged !== NOTHING) {
    step(
      true,
      (next) => {
        publish(next.row, stagedFinding(world), rules);
        next.staged = NOTHING;
        next.stagedMoved = false;
      },
      () => 'the sweep publishes it',
    );
  }
  if (world.edits === 0) return;
  const edit = (source: SourceValue) => {
    if (source === world.source) return;
    step(
      false,
      (next) => {
        next.source = source;
        next.edits -= 1;
      },
      () => `edit: the source has ${namedSource(source)}`,
    );
  };
  sourceValues(policy).forEach(edit);
}

const isClosing = ({ kind, desired }: RowFinding) => kind === 'vanished' && isClosed(desired);

const stagedFinding = ({ staged, stagedMoved }: World): RowFinding => ({
  kind: 'vanished',
  desired: staged,
  payload: staged,
  moved: stagedMoved,
});

/** Forgets what can make no difference any more, so that equal worlds look equal. */
function tidy(world: World, { policy, rules }: Pick<Protocol, 'policy' | 'rules'>): void {
  forgetPayloads(world, policy, rules);
  if (world.row.claim === UNCLAIMED) world.isControl = false;
  const { row, kept, attempts } = world;
  const rows = kept ? [row, kept] : [row];
  const claimedBy = (at: number) => rows.some(({ claim, last }) => claim !== UNCLAIMED && last === at);
  const confirmedBy = (at: number) => rows.some(({ confirm }) => confirm === FIRST_DEADLINE + at);
  let gone = 0;
  attempts.forEach((attempt, at) => {
    const claimed = claimedBy(at);
    // An outcome that will not count is as good as none.
    if (attempt.client >= FIRST_REPLY && rules.fence && !claimed) attempt.client = GONE;
    const mayArrive = attempt.client === AWAITING || attempt.late;
    if (!mayArrive) attempt.reference = 0;
    if (attempt.client === GONE) {
      attempt.current = false;
      attempt.triedBefore = false;
      if (!attempt.late && !claimed && rules.confirm !== 'unless-accepted') attempt.sent = 0;
      if (!attempt.late && !claimed && !confirmedBy(at)) gone |= 1 << at;
    }
  });
  if (gone === 0) return;
  const places = attempts.map((_, at) => at).filter((at) => ((gone >> at) & 1) === 0);
  for (const each of rows) {
    if (each.claim !== UNCLAIMED) each.last = places.indexOf(each.last);
    if (each.confirm >= FIRST_DEADLINE) {
      each.confirm = FIRST_DEADLINE + places.indexOf(each.confirm - FIRST_DEADLINE);
    }
  }
  world.attempts = places.flatMap((at) => attempts[at] ?? []);
}

/** What was accepted is closed. Under the other policies nobody asks for payloads but of what is sent. */
function forgetPayloads(world: World, policy: VanishedPolicy, rules: Rules): void {
  const { row } = world;
  if (!row.exists) world.accepted = NOTHING;
  if (policy === 'close') return;
  world.accepted = NOTHING;
  row.acknowledgedPayload = NOTHING;
  if (rules.returns === 'acknowledged') row.desiredPayload = payloadOf(row.desired);
}

/** Words for the reader of a trace. */
const PAYLOAD_NAMES = ['nothing', 'A', 'B', 'C of the other parent'];
const SOURCES = [...PAYLOAD_NAMES, 'A with the closed status', 'an invalid row'];
const REQUESTS = [...PAYLOAD_NAMES, 'a deletion', 'A, closed', 'B, closed', 'C of the other parent, closed'];
const named = (hash: Hash) => REQUESTS[hash] ?? '?';
const namedSource = (source: SourceValue) => SOURCES[source] ?? '?';
