import type { VanishedPolicy } from '../../src/core/domain/guard.js';
import { type Exploration, explore, type Judge } from './explore.js';
import { createFindings } from './findings.js';
import { ABSENT, type Hash, isClosed, isOfOtherParent, NOTHING, hashOfSource, INVALID } from './hash.js';
import { NO_CONFIRMATION, statusOf } from './ledger-row.js';
import type { Protocol } from './protocol.js';
import { PROTOCOL, type Rules } from './rules.js';
import { REFERENCE_OF_OTHER } from './samples.js';
import { type Budget, VERIFIED, type World } from './world-state.js';

/** Says what is wrong in a world that has come to rest, under one policy for what vanishes; null: nothing. Pure. */
function createJudge(policy: VanishedPolicy): Judge {
  return (world) => {
    const { source, row, platform } = world;
    if (world.split) return 'two processes have sent under the push lease at the same time';
    if (world.doubt === VERIFIED && isNotCompared(world)) return null;
    if (!row.exists) {
      // Also under `report`: what was tried may be there, and is remembered.
      return source === NOTHING && platform === NOTHING ? null : 'the ledger does not know the record';
    }
    return judgeAcknowledged(world) ?? (source === NOTHING ? GONE[policy](world) : judgePresent(world));
  };
}

/**
 * After a restore: what was new, or came back, since the backup and is gone, is known to nobody; and what counts as
 * deleted is not compared with the platform.
 */
const isNotCompared = ({ source, row }: World) =>
  row.acknowledged === ABSENT || (source === NOTHING && (!row.exists || statusOf(row) === 'vanished'));

const judgeRejected = ({ row, refuses }: World) =>
  (refuses >> row.desired) & 1 ? null : 'rejected, although the platform never refused it';

const GONE: Readonly<Record<VanishedPolicy, Judge>> = {
  delete: judgeDeleted,
  close: judgeClosed,
  report: judgeReported,
  ignore: judgeIgnored,
};

/** What the ledger takes for accepted and has not to confirm, the platform holds, whatever is desired. */
function judgeAcknowledged(world: World): string | null {
  const { row, platform } = world;
  if (row.acknowledged === NOTHING || row.confirm !== NO_CONFIRMATION) return null;
  const held = row.acknowledged === ABSENT ? NOTHING : row.acknowledged;
  if (platform !== held) return 'the platform does not hold what counts as acknowledged';
  return judgeParent(world, row.acknowledged);
}

/** Whether what the platform holds names the parent that belongs to it, under the reference that it has now. */
function judgeParent({ closedBefore, parent, platformReference }: World, hash: Hash): string | null {
  if (hash === ABSENT) return null;
  if (isOfOtherParent(hash)) {
    return platformReference === REFERENCE_OF_OTHER ? null : 'the platform holds it under another parent';
  }
  if (platformReference === REFERENCE_OF_OTHER) return 'the platform holds it under another parent';
  // What was closed is not sent again because its parent has another reference, nor when it returns closed.
  return closedBefore || platformReference === parent
    ? null
    : 'the platform holds it under the parent’s former reference';
}

function judgePresent(world: World): string | null {
  const status = statusOf(world.row);
  if (world.source === INVALID) return status === 'invalid' ? null : `an invalid row is ${status}`;
  return judgeDesired(world, hashOfSource(world.source));
}

/** The platform holds `desired`, or has refused it. */
function judgeDesired(world: World, desired: Hash): string | null {
  const { row, platform } = world;
  if (row.desired !== desired) return 'the ledger desires something else than the source has';
  const status = statusOf(row);
  if (status === 'rejected') return judgeRejected(world);
  if (status !== 'synced') return `the record is ${status} for ever`;
  if (platform !== desired) return 'the platform holds another payload than the source';
  return judgeParent(world, desired);
}

function judgeDeleted(world: World): string | null {
  const { row, platform } = world;
  if (row.desired !== ABSENT) return 'a record that vanished is not to be deleted';
  const status = statusOf(row);
  if (status === 'rejected') return judgeRejected(world);
  if (status !== 'vanished') return `a record that vanished is ${status}`;
  return platform === NOTHING ? null : 'a record that was deleted is at the platform';
}

/**
 * At the platform it is closed, under its own parent: what was accepted last when the sweep found it gone, and what was
 * desired if nothing had been accepted by then.
 */
function judgeClosed(world: World): string | null {
  const { row, platform, misclosed } = world;
  if (!isClosed(row.desired)) return 'a record that vanished is not to be closed';
  if (misclosed) return 'what was closed is not what was accepted last';
  const status = statusOf(row);
  if (status === 'rejected') return judgeRejected(world);
  if (status !== 'vanished') return `a record that vanished is ${status}`;
  if (platform !== row.desired) return 'the platform does not hold it closed';
  return judgeParent(world, row.desired);
}

/** Nothing is sent any more; what the platform holds is only as certain as the ledger says, see `judgeAcknowledged`. */
function judgeReported({ row }: World): string | null {
  if (row.desired !== NOTHING) return 'something is desired of a record that is only reported';
  const status = statusOf(row);
  return status === 'vanished' ? null : `a record that vanished is ${status}`;
}

/** As though it had not vanished: what was desired is still brought there. */
function judgeIgnored(world: World): string | null {
  const { row } = world;
  if (row.vanished) return 'a record vanished, although that means nothing';
  return row.invalid ? null : judgeDesired(world, row.desired);
}

/** The protocol of what is sent with Put, with rules taken out. */
export function putProtocol(policy: VanishedPolicy, without: Partial<Rules> = {}): Protocol {
  const rules = { ...PROTOCOL, ...without };
  const findings = createFindings(policy, rules);
  return { policy, rules, resends: ['resync', 'resync-key', 'refresh'], findings };
}

export const explorePuts = (
  policy: VanishedPolicy,
  each: Budget,
  without: Partial<Rules> = {},
): Exploration => explore(each, putProtocol(policy, without), createJudge(policy));

export const budget = (
  edits: number,
  faults: number,
  kills: number,
  refusals: number,
  resends: number,
  parents: number,
  restores = 0,
  controls = 0,
): Budget => ({ edits, faults, kills, refusals, resends, parents, restores, controls });

export const shown = (of: Budget) =>
  Object.entries(of)
    .filter(([name, count]) => !['restores', 'controls'].includes(name) || count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
