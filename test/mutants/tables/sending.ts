import type { Mutant } from '../mutant.js';

const LOST = 'Nothing is lost';
const TWICE = 'Nothing is sent twice without need';
const STALE = 'Stale data is never sent';
const ORDER = 'Order';
const BAD = 'One bad record holds up nothing else';
const KILLED = 'Killed anywhere';
const JOURNAL = 'Every request is in the journal';

const RULES = 'src/domain/reply/reply-rules.ts';
const OUTCOMES = 'src/state/queue/record-outcomes.ts';
const PUBLISH = 'src/state/ledger/publish.ts';
const QUEUE_TEST = 'test/state/queue/queue.test.ts';
const STAGING_TEST = 'test/state/ledger/staging.test.ts';

const CONDITION = 'src/domain/push/area-condition.ts';
const CONDITION_TEST = 'test/domain/push/area-condition.test.ts';
const JOURNAL_TEST = 'test/state/delivery/deliveries.test.ts';

/** What is sent, when, and what a reply means. */
export const SENDING: readonly Mutant[] = [
  {
    promise: LOST,
    rule: 'A push in which nothing was answered stops its area.',
    file: CONDITION,
    from: 'return condition.answered || !failed',
    to: 'return true || condition.answered || !failed',
    test: CONDITION_TEST,
  },
  {
    promise: LOST,
    rule: 'What was not reached uses up no attempt.',
    file: 'src/sync/push/outcome-of.ts',
    from: 'counts: judgement.reached,',
    to: 'counts: true,',
    test: 'test/sync/push/push-area.test.ts',
  },
  {
    promise: LOST,
    rule: 'A deferred record keeps the last success back.',
    file: 'src/sync/run/judge-run.ts',
    from: 'if (pending + deferred === 0 && !failure)',
    to: 'if (pending === 0 && !failure)',
    test: 'test/sync/small-outage.test.ts',
    title: 'keep the last success back',
  },
  {
    promise: JOURNAL,
    rule: 'A request whose claim a resend request ended is in the journal too.',
    file: 'src/state/delivery/append-deliveries.ts',
    from: "where exists (select 1 from :schema:.lease where ${heldLeaseSql('push')})\n       or exists",
    to: 'where exists',
    test: JOURNAL_TEST,
    title: 'its request is noted all the same',
  },
  {
    promise: LOST,
    rule: 'A 2xx that is not understood is no acceptance.',
    file: RULES,
    from: `    when: RESULT,`,
    to: '',
    test: 'test/domain/reply/judge-reply.test.ts',
  },
  {
    promise: LOST,
    rule: 'A reply that is not understood uses up no attempt.',
    file: 'src/sync/push/outcome-of.ts',
    from: 'counts: false,',
    to: 'counts: true,',
    test: 'test/sync/push/push-area.test.ts',
  },
  {
    promise: LOST,
    rule: 'A push in which no reply to an operation was understood stops its area.',
    file: CONDITION,
    from: 'stop: stopAtEnd(condition.readings)',
    to: 'stop: null',
    test: 'test/domain/push/unread-replies.test.ts',
  },
  {
    promise: LOST,
    rule: 'A request that was perhaps sent leaves it unknown what the platform holds.',
    file: RULES,
    from: `{ on: 'silent', as: 'deferred-unknown'`,
    to: `{ on: 'silent', as: 'deferred'`,
    test: 'test/domain/reply/judge-reply.test.ts',
  },
  {
    promise: LOST,
    rule: 'An outcome counts only for the request that it answers.',
    file: OUTCOMES,
    from: ` and s.last_request_id = r."requestId"`,
    to: '',
    test: QUEUE_TEST,
    title: 'does not count',
  },
  {
    promise: LOST,
    rule: 'An acceptance acknowledges the payload that was sent, not the one that is desired by now.',
    file: OUTCOMES,
    from: `acknowledged_hash = r."hash",`,
    to: `acknowledged_hash = s.desired_hash,`,
    test: QUEUE_TEST,
    title: 'an acceptance of an older payload is acknowledged as such',
  },
  {
    promise: LOST,
    rule: 'Over TLS a request is on its way only after the handshake.',
    file: 'src/platform/exchange.ts',
    from: `secure ? 'secureConnect' : 'connect'`,
    to: `'connect'`,
    test: 'test/platform/tls-established.test.ts',
  },
  {
    promise: LOST,
    rule: 'A request on a TLS connection that is used again may have been sent.',
    file: 'src/platform/exchange.ts',
    from: 'secure ? Boolean(socket.getFinished()) : !socket.connecting',
    to: '!secure && !socket.connecting',
    test: 'test/platform/tls-established.test.ts',
  },
  {
    promise: LOST,
    rule: 'A record that was tried stays in the ledger when it vanishes.',
    file: PUBLISH,
    from: 'and s.attempted_at is null and s.acknowledged_at is null',
    to: 'and s.acknowledged_at is null',
    test: STAGING_TEST,
    title: 'a vanished record that was never tried leaves the ledger',
  },
  {
    promise: TWICE,
    rule: 'The order of the fields of a payload does not change its hash.',
    file: 'src/domain/payload/canonical-json.ts',
    from: '.sort(([a], [b]) => (a < b ? -1 : 1))',
    to: '.filter(() => true)',
    test: 'test/domain/payload/payload.test.ts',
  },
  {
    promise: TWICE,
    rule: 'An edit that is undone before it was sent causes no request.',
    file: PUBLISH,
    from: `when \${e}.desired_hash = s.acknowledged_hash then null`,
    to: `when \${e}.desired_hash = s.acknowledged_hash then s.desired_payload`,
    test: STAGING_TEST,
    title: 'what was acknowledged is kept while something else is desired',
  },
  {
    promise: TWICE,
    rule: 'Nothing of a held entity is sent again because of its age.',
    file: 'src/sync/run/sweep-all.ts',
    from: 'if (hold === null) await refresh(',
    to: 'await refresh(',
    test: 'test/sync/refresh.test.ts',
    title: 'nothing of a held entity',
  },
  {
    promise: STALE,
    rule: 'Only an attempt that was claimed when the confirmation was due confirms.',
    file: OUTCOMES,
    from: 'confirm_at = case when s.confirm_at <= s.attempted_at then null else s.confirm_at end,',
    to: 'confirm_at = null,',
    test: QUEUE_TEST,
    title: 'only an attempt claimed when the confirmation was due clears it',
  },
  {
    promise: STALE,
    rule: 'A confirmation follows when the first request can no longer arrive.',
    file: 'src/state/ledger/confirm-later.ts',
    from: '+ 2 * ${timeoutMs}',
    to: '+ ${timeoutMs}',
    test: QUEUE_TEST,
    title: 'without reply what the platform holds is unknown',
  },
  {
    promise: STALE,
    rule: 'A row without row version is always read.',
    file: 'src/sync/sweep/unequal-buckets.ts',
    from: 'source.unversioned === 0 &&',
    to: '',
    test: 'test/sync/sweep/unequal-buckets.test.ts',
  },
  {
    promise: ORDER,
    rule: 'Changes go before new records.',
    file: 'src/state/queue/claim.ts',
    from: 'order by s.unacknowledged, s.key limit :limit',
    to: 'order by s.key limit :limit',
    test: 'test/state/queue/claim.test.ts',
    title: 'a change goes before',
  },
  {
    promise: ORDER,
    rule: 'A child waits while its parent is under way.',
    file: 'src/state/queue/claim.ts',
    from: ' and p.claim_token is null',
    to: '',
    test: 'test/state/queue/claim.test.ts',
    title: 'a child is not claimed while its parent is under way',
  },
  {
    promise: BAD,
    rule: 'A row that cannot be sent leaves what the platform holds as it is, and the others are sent.',
    file: PUBLISH,
    from: 'desired_hash = coalesce(excluded.desired_hash, s.desired_hash),',
    to: 'desired_hash = excluded.desired_hash,',
    test: STAGING_TEST,
    title: 'an invalid record keeps what was desired and acknowledged',
  },
  {
    promise: BAD,
    rule: 'An approval of a stopped push leaves an older approval of the sweep as it is.',
    file: 'src/state/ledger/entity-states.ts',
    from: `coalesce(hold -> 'counts', approval)`,
    to: `hold -> 'counts'`,
    test: 'test/state/ledger/entity-states.test.ts',
    title: 'leaves an older approval of the sweep as it is',
  },
  {
    promise: KILLED,
    rule: 'Who takes over ends every open claim like an attempt without reply.',
    file: 'src/state/queue/take-over-claims.ts',
    from: `acknowledged_hash = null, claim_token = null`,
    to: `claim_token = null`,
    test: QUEUE_TEST,
    title: 'after a take-over it is unknown',
  },
  {
    promise: KILLED,
    rule: 'A worker that takes over ends the claims of all entities, also of those it does not send.',
    file: 'src/service/run-worker.ts',
    from: 'state.queue.takeOver(fence, null,',
    to: 'state.queue.takeOver(fence, [],',
    test: 'test/service/run-worker.test.ts',
    title: 'a worker ends the open claims of a dead process',
  },
];
