import { ABSENT, NOTHING, OF_OTHER_PARENT, statusOf } from './ledger-row.js';
import { INVALID, type World } from './world-state.js';

/** What is wrong in a world that has come to rest, under the policy `delete`; null: nothing. Pure. */
export function judgeQuiet(world: World): string | null {
  const { source, row, platform, platformReference, parent, refuses } = world;
  const wanted = source === NOTHING ? ABSENT : source;
  if (!row.exists) {
    return source === NOTHING && platform === NOTHING ? null : 'the ledger does not know the record';
  }
  const status = statusOf(row);
  if (source === INVALID) return status === 'invalid' ? null : `an invalid row is ${status}`;
  if (row.desired !== wanted) return 'the ledger wants something else than the source has';
  if (status === 'rejected') {
    return (refuses >> wanted) & 1 ? null : 'rejected, although the platform never refused it';
  }
  if (source === NOTHING) {
    if (status !== 'vanished') return `a record that vanished is ${status}`;
    return platform === NOTHING ? null : 'a record that was deleted is at the platform';
  }
  if (status !== 'synced') return `the record is ${status} for ever`;
  if (platform !== source) return 'the platform holds another payload than the source';
  if (source === OF_OTHER_PARENT) return null;
  return platformReference === parent ? null : 'the platform holds it under the parent’s former reference';
}
