import {
  applyMark,
  claim,
  CURRENT,
  FIRST_DEADLINE,
  isClaimable,
  isMarked,
  OF_OTHER_PARENT,
  OLDER,
  PASSED,
  publish,
  record,
  takeOver,
  UNCLAIMED,
  type Mark,
  type Row,
  type RowFinding,
  type Rules,
} from './ledger-row.js';
import { ACCEPTED, FAULTS, knownEffect, knownOutcome, REFUSED, REPLIES } from './product.js';
import { AWAITING, copy, FIRST_REPLY, GONE, INVALID, type Attempt, type World } from './world-state.js';

export interface Protocol {
  readonly rules: Rules;
  readonly marks: readonly Mark[];
  readonly findings: (source: number, row: Row) => RowFinding | null;
}

/**
 * Takes one step: `next` is the world after it. `calm`: it happens also when nobody edits and nothing fails any more.
 * `text` says what happened.
 */
export type Take = (next: World, calm: boolean, text: () => string) => void;

const VALUES = ['nothing', 'A', 'B', 'C of the other parent', 'a deletion', 'an invalid row'];
const named = (value: number) => VALUES[value] ?? '?';

/** Every step that the world can take. */
export function eachStep(world: World, protocol: Protocol, take: Take): void {
  const { rules } = protocol;
  const step = (calm: boolean, change: (next: World) => void, text: () => string) => {
    const next = copy(world);
    change(next);
    tidy(next, rules);
    take(next, calm, text);
  };
  stepsOfSweep(world, protocol, step);
  stepsOfPush(world, protocol, step);
  stepsOfRequests(world, protocol, step);
  stepsOfTime(world, step);
  stepsOfMarks(world, protocol, step);
}

type Step = (calm: boolean, change: (next: World) => void, text: () => string) => void;

/** Only a sweep changes what a sweep looks at, so reading and publishing is one step. */
function stepsOfSweep(world: World, { findings }: Protocol, step: Step): void {
  const finding = findings(world.source, world.row);
  if (finding) {
    step(
      true,
      ({ row }) => publish(row, finding),
      () => `a sweep publishes ${named(world.source)}`,
    );
  }
  if (world.edits === 0) return;
  const edit = (source: number) => {
    if (source === world.source) return;
    step(
      false,
      (next) => {
        next.source = source;
        next.edits -= 1;
      },
      () => `edit: the source has ${named(source)}`,
    );
  };
  [0, 1, 2, 3, INVALID].forEach(edit);
}

function stepsOfPush(world: World, { rules }: Protocol, step: Step): void {
  const { row, attempts } = world;
  if (world.alive && world.tookOver && isClaimable(row)) {
    step(
      true,
      (next) => {
        next.attempts.push({
          sent: row.desired,
          moved: row.moved,
          reference: row.desired === OF_OTHER_PARENT ? 0 : world.parent,
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
      () => `claim of ${named(row.desired)}, request ${world.claims + 1} leaves`,
    );
  }
  attempts.forEach(({ client, sent, moved, current, triedBefore, number }, at) => {
    if (client < FIRST_REPLY) return;
    const reply = client - FIRST_REPLY;
    const counts = row.claim === (current ? CURRENT : OLDER) && (row.last === at || !rules.fence);
    step(
      true,
      (next) => {
        change(next, at).client = GONE;
        if (counts)
          record(next.row, knownOutcome(sent, moved, reply, triedBefore), deadlineOfClaim(world), rules);
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
  if (world.kills === 0 || !world.alive) return;
  step(
    false,
    (next) => {
      next.kills -= 1;
      next.alive = false;
      for (const attempt of next.attempts.filter((each) => each.current)) {
        attempt.late ||= attempt.client === AWAITING;
        attempt.client = GONE;
      }
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

function acquire(next: World): void {
  next.alive = true;
  next.tookOver = false;
  for (const attempt of next.attempts) attempt.current = false;
  if (next.row.claim === CURRENT) next.row.claim = OLDER;
}

function stepsOfRequests(world: World, _protocol: Protocol, step: Step): void {
  world.attempts.forEach(({ client, late, sent, reference, number }, at) => {
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
          const effect = knownEffect(sent, reference);
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
        if (row.confirm === FIRST_DEADLINE + at) next.row.confirm = PASSED;
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

function stepsOfMarks(world: World, { rules, marks }: Protocol, step: Step): void {
  const mark = (next: World, kind: Mark) =>
    applyMark(next.row, kind, deadlineOfClaim(world), rules, sentByClaim(world));
  if (world.marks > 0) {
    for (const kind of marks.filter((each) => isMarked(world.row, each, rules, sentByClaim(world)))) {
      step(
        false,
        (next) => {
          next.marks -= 1;
          mark(next, kind);
        },
        () => `mark: ${kind}`,
      );
    }
  }
  if (world.parents > 0) {
    step(
      false,
      (next) => {
        next.parents -= 1;
        next.parent = 1;
        mark(next, 'new-reference');
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
function deadlineOfClaim({ row, attempts }: World): number {
  return attempts[row.last]?.expired === true ? PASSED : FIRST_DEADLINE + row.last;
}

const sentByClaim = ({ row, attempts }: World) => attempts[row.last]?.sent ?? 0;

/** Forgets what can make no difference any more, so that equal worlds look equal. */
function tidy(world: World, rules: Rules): void {
  const { row, attempts } = world;
  let gone = 0;
  attempts.forEach((attempt, at) => {
    const claimed = row.claim !== UNCLAIMED && row.last === at;
    // An outcome that will not count is as good as none.
    if (attempt.client >= FIRST_REPLY && rules.fence && !claimed) attempt.client = GONE;
    const mayArrive = attempt.client === AWAITING || attempt.late;
    if (!mayArrive) attempt.reference = 0;
    if (attempt.client === GONE) {
      attempt.current = false;
      attempt.triedBefore = false;
      if (!attempt.late && !claimed && rules.confirm !== 'unless-accepted') attempt.sent = 0;
      if (!attempt.late && !claimed && row.confirm !== FIRST_DEADLINE + at) gone |= 1 << at;
    }
  });
  if (gone === 0) return;
  const places = attempts.map((_, at) => at).filter((at) => ((gone >> at) & 1) === 0);
  if (row.claim !== UNCLAIMED) row.last = places.indexOf(row.last);
  if (row.confirm >= FIRST_DEADLINE) {
    row.confirm = FIRST_DEADLINE + places.indexOf(row.confirm - FIRST_DEADLINE);
  }
  world.attempts = places.flatMap((at) => attempts[at] ?? []);
}
