import { isClosed, NOTHING } from './hash.js';
import { UNCLAIMED, takeOver, type Row, verify } from './ledger-row.js';
import type { Protocol, Step } from './protocol.js';
import {
  acquire,
  AWAITING,
  cutOff,
  deadlineOfClaim,
  DOUBTED,
  GONE,
  sentByClaim,
  VERIFIED,
  type World,
} from './world-state.js';

/**
 * The ledger goes back to an earlier state while processes live: its rows and its leases, but neither the platform nor
 * what is on its way there. What has to follow is that everything is compared with the platform, once no request of
 * before can arrive any more.
 */
export function stepsOfRestore(world: World, { rules }: Protocol, step: Step): void {
  const { row, kept, attempts } = world;
  if (world.restores > 0 && kept === null) {
    step(
      false,
      (next) => {
        next.kept = { ...row };
        next.keptHeld = world.alive;
      },
      () => 'a backup is made',
    );
  }
  if (world.restores > 0 && kept !== null) {
    if (world.keptHeld) {
      step(
        false,
        (next) => goBack(next, kept),
        () => 'the ledger goes back; the lease goes on',
      );
    }
    step(
      false,
      (next) => {
        const repeated = !world.keptHeld && !rules.nonce;
        goBack(next, kept);
        if (!repeated) return acquire(next);
        // Counted upward, the token is that of the holder before, who does not know that it holds nothing any more.
        next.stray = world.alive;
        next.alive = true;
        next.tookOver = false;
      },
      () => 'the ledger goes back; another process takes the push lease',
    );
  }
  if (world.stray) {
    step(
      true,
      (next) => {
        cutOff(next);
        next.stray = false;
      },
      () => 'the former holder of the same token ends',
    );
  }
  const own = attempts[row.last];
  const served = own?.current === true && own.client !== GONE;
  if (
    rules.forgotten &&
    rules.takeOver !== 'none' &&
    world.alive &&
    world.tookOver &&
    row.claim !== UNCLAIMED &&
    !served
  ) {
    step(
      true,
      (next) => takeOver(next.row, deadlineOfClaim(world), rules, sentByClaim(world)),
      () => 'a push begins and ends the claim that nobody serves',
    );
  }
  const onItsWay = attempts.some(({ client, late }) => client === AWAITING || late);
  if (world.doubt === DOUBTED && !world.stray && !onItsWay) {
    step(
      true,
      (next) => {
        next.doubt = VERIFIED;
        verify(next.row, world.platform === row.desired, deadlineOfClaim(world), rules, sentByClaim(world));
      },
      () => 'everything is compared with the platform, and what differs is sent again',
    );
  }
}

function goBack(next: World, kept: Row): void {
  if (isClosed(kept.desired)) throw new Error('what was accepted last is not kept with the ledger');
  next.row = { ...kept };
  next.kept = null;
  next.keptHeld = false;
  next.restores -= 1;
  next.doubt = DOUBTED;
  next.accepted = NOTHING;
}
