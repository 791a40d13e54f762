import type { VanishedPolicy } from '../../src/domain/guard.js';
import { NOTHING, payloadOf } from './hash.js';
import { FIRST_DEADLINE, UNCLAIMED } from './ledger-row.js';
import type { Rules } from './rules.js';
import type { Protocol } from './protocol.js';
import { AWAITING, FIRST_REPLY, GONE, type World } from './world-state.js';

/** Forgets what can make no difference any more, so that equal worlds look equal. */
export function tidy(world: World, { policy, rules }: Pick<Protocol, 'policy' | 'rules'>): void {
  forgetPayloads(world, policy, rules);
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
