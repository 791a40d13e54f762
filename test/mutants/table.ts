/** A rule of the product, a small bug that breaks it, and the test that must notice. */
export interface Bug {
  /** One sentence, as in docs/trust.md. */
  readonly rule: string;
  /** What src declares under this name at the top of a file; the file before it where several do: `queue takeOverClaims`. */
  readonly at: string;
  /** What stands once in there, and what takes its place. */
  readonly swap: readonly [from: string | RegExp, to: string];
  /** The file, below test, that must fail with the bug, and a part of the name of the test in it. */
  readonly test: readonly [file: string, title?: string];
}

/** By promise: where no other test would notice cheaply, statements of the ledger, leases and the push above all. */
export const BUGS: Readonly<Record<string, readonly Bug[]>> = {
  'Nothing is lost': [
    {
      rule: 'A run tries a stopped area with one request, whatever the back-off of its records.',
      at: 'AreaPush',
      swap: ['isTrial = runId !==', 'isTrial = runId ==='],
      test: ['cli/outages.slow.test.ts', 'however soon it is repeated'],
    },
    {
      rule: 'Once the stopped area answers, what its outage deferred is sent at once.',
      at: 'AreaPush',
      swap: [/for \(.*\) await .*retryBlameless\(.*\);(?=\s+return true)/, ''],
      test: ['cli/outages.slow.test.ts', 'however soon it is repeated'],
    },
    {
      rule: 'A push in which nothing was answered stops its area.',
      at: 'endCondition',
      swap: ['answered || !failed', 'answered || true'],
      test: ['core/domain/area-condition.test.ts'],
    },
    {
      rule: 'What was not reached uses up no attempt.',
      at: 'outcome deferral',
      swap: ['reached && ', ''],
      test: ['core/push/area.test.ts'],
    },
    {
      rule: 'A record that fails again before the area has answered another uses up no further attempt.',
      at: 'outcome deferral',
      swap: ['counted === 0', 'counted >= 0'],
      test: ['core/small-outage.slow.test.ts', 'counts once while nothing else is answered'],
    },
    {
      rule: 'A run tries a platform that does not answer again before it ends.',
      at: 'AreaPush',
      swap: ['baseDelayMs / 2', 'Infinity'],
      test: ['core/small-outage.slow.test.ts', 'delays the only changed record'],
    },
    {
      rule: 'A push whose records are due again at once comes to an end.',
      at: 'Sender',
      swap: [/this\.sending\.triesAgain\(\) \? (.*) : undefined/, '$1'],
      test: ['core/small-outage.slow.test.ts', 'a record that is due again at once'],
    },
    {
      rule: 'A worker notes the success of what it sent, also when its last push sent nothing.',
      at: 'AreaLoop',
      swap: ['#sentSome ||=', '#sentSome ='],
      test: ['core/push/push-loop.test.ts', 'notes the success after an outage too'],
    },
    {
      rule: 'What failed only because its whole area did gets its attempt back.',
      at: 'AreaPush',
      swap: [/stop\?\.code === 'breaker-open' \|\| .*\)/, 'stop === undefined)'],
      test: ['core/push/area.test.ts', 'get their attempt back'],
    },
    {
      rule: 'A last attempt that is given back leaves the record deferred.',
      at: 'FailureStreak',
      swap: [/counted\.rejected -= .*;/, ''],
      test: ['core/push/area.test.ts', 'leaves the record deferred, not rejected'],
    },
    {
      rule: 'An outcome counts only for the request that it answers.',
      at: 'STILL_OURS',
      swap: [/ and s\.last_request_id = r\."requestId"/, ''],
      test: ['core/ledger/queue/queue.test.ts', 'does not count'],
    },
    {
      rule: 'An acceptance acknowledges the payload that was sent, not the one that is desired by now.',
      at: 'recordAccepted',
      swap: ['= r."hash"', '= s.desired_hash'],
      test: ['core/ledger/queue/queue.test.ts', 'an acceptance of an older payload is acknowledged as such'],
    },
    {
      rule: 'Over TLS a request is on its way only after the handshake.',
      at: 'whenReady',
      swap: ["secure ? 'secureConnect' : 'connect'", "'connect'"],
      test: ['core/platform/tls-established.test.ts'],
    },
    {
      rule: 'A request on a TLS connection that is used again may have been sent.',
      at: 'whenReady',
      swap: [/Boolean\(socket\.getFinished\(\)\)/, 'false'],
      test: ['core/platform/tls-established.test.ts'],
    },
    {
      rule: 'A record that was tried stays in the ledger when it vanishes.',
      at: 'neverThereSql',
      swap: ['.attempted_at is null and', '.key is not null and'],
      test: [
        'core/ledger/staging.test.ts',
        'a vanished record that the platform cannot have leaves the ledger',
      ],
    },
    {
      rule: 'What the platform has from somebody else is closed, although it never took ours.',
      at: 'isAbsent',
      swap: ["=== 'missing'", "!== 'unanswered'"],
      test: ['cli/plan.test.ts', 'the platform is asked before'],
    },
  ],
  'Nothing is sent twice without need': [
    {
      rule: 'A request that met a closed connection goes again at once.',
      at: 'Sender',
      swap: ['!again &&', 'again &&'],
      test: ['core/lost-replies.slow.test.ts', 'goes again at once over another one'],
    },
    {
      rule: 'What the platform deleted is not deleted once more by a resync of its key.',
      at: 'createResendRequests',
      swap: [') ${UNLESS_DELETED}', ')'],
      test: ['core/ledger/ledger.test.ts', 'what the platform deleted as it is'],
    },
    {
      rule: 'A record that was sent again since it was read back is not judged.',
      at: 'UNCHANGED',
      swap: [/and s\.acknowledged_at is not distinct from [^`\n]*/, ''],
      test: ['features/look/record-lists.test.ts', 'only while it is as it was read'],
    },
    {
      rule: 'An edit that is undone before it was sent causes no request.',
      at: 'acknowledgedPayload',
      swap: ['then null', 'then s.desired_payload'],
      test: ['core/ledger/staging.test.ts', 'what was acknowledged is kept while something else is desired'],
    },
  ],
  'What the platform took down is sent again only by a person': [
    {
      rule: 'What the platform removed stays so when it vanishes and returns.',
      at: 'STAYS_REMOVED',
      swap: [/s\.platform_state is not distinct from 'removed'/, 'false'],
      test: ['core/closing-and-deleting.slow.test.ts', 'is closed there'],
    },
    {
      rule: 'A removed record stays removed when its row changes.',
      at: 'publishBatch',
      swap: ['when ${STAYS_DOWN} then excluded.desired_hash end', 'else null end'],
      test: ['cli/verify.slow.test.ts', 'sent again only by a person'],
    },
  ],
  'Stale data is never sent': [
    {
      rule: 'Only an attempt that was claimed when the confirmation was due confirms.',
      at: 'recordAccepted',
      swap: [/case when s\.confirm_at <= s\.attempted_at then null .* end/, 'null'],
      test: [
        'core/ledger/queue/queue.test.ts',
        'only an attempt claimed when the confirmation was due clears it',
      ],
    },
    {
      rule: 'A confirmation follows when the first request can no longer arrive.',
      at: 'confirmLater',
      swap: ['2 * ', ''],
      test: ['core/ledger/queue/queue.test.ts', 'without reply what the platform holds is unknown'],
    },
  ],
  Order: [
    {
      rule: 'Statuses of applications go before all other records.',
      at: 'ClaimCursor',
      swap: [/\[\.\.\.this\.#urgent, .*\]/, '[...claiming.entities]'],
      test: ['core/push/area.test.ts', 'a status goes first'],
    },
    {
      rule: 'A status takes the next place of the rate.',
      at: 'Sender',
      swap: [/again \|\| !entity\.repeatable \|\| ?/, ''],
      test: ['core/push/area.test.ts', 'takes the next place of the rate'],
    },
    {
      rule: 'Changes go before new records.',
      at: 'createClaim',
      swap: ['s.unacknowledged, s.key limit', 's.key limit'],
      test: ['core/ledger/queue/claim-record.test.ts', 'a change goes before'],
    },
    {
      rule: 'A child waits while its parent is under way.',
      at: 'createClaim',
      swap: [' and p.claim_token is null', ''],
      test: [
        'core/ledger/queue/claim-record.test.ts',
        'a child is not claimed while its parent is under way',
      ],
    },
  ],
  'The rate is never exceeded': [
    {
      rule: 'A place is free again only a second after its last use.',
      at: 'createRateLimit',
      swap: ['+ windowMs - 0.9', '+ 0.9 * windowMs - 0.9'],
      test: ['core/platform/create-rate-limit.slow.test.ts'],
    },
    {
      rule: 'A place that replicas share is free only a second after its request.',
      at: 'shared-rates RESERVED',
      swap: ['used + cycle', 'used'],
      test: ['features/fleet/state/shared-rates.test.ts', 'whether holders are quick'],
    },
    {
      rule: 'A place whose holder says nothing counts as used at the last moment.',
      at: 'shared-rates RESERVED',
      swap: ['${HELD_MS} + cycle', 'cycle'],
      test: ['features/fleet/state/shared-rates.test.ts', 'whether holders are quick'],
    },
    {
      rule: 'Only its last holder gives a place back.',
      at: 'shared-rates RESERVED',
      swap: [' and said.stamp = r.places[i]', ''],
      test: ['features/fleet/state/shared-rates.test.ts', 'frees nothing'],
    },
    {
      rule: 'A place is used when its request was written, not when it began.',
      at: 'SharedRate',
      swap: [/giveBack\(place, usedAt\)(?=;\s+\/\/ Perhaps)/, 'giveBack(place, place.at)'],
      test: ['features/fleet/create-shared-rate-limit.slow.test.ts', 'counts a place from the moment'],
    },
    {
      rule: 'What was sent after its place was lost leaves another one empty.',
      at: 'SharedRate',
      swap: [/this\.owed \+= .*lost;/, ''],
      test: ['features/fleet/create-shared-rate-limit.slow.test.ts', 'leaves a place empty'],
    },
    {
      rule: 'A run claims nothing until the requests of the one before it are a second old.',
      at: 'pushAll',
      swap: [/if \(due > 0\) await .*;/, ''],
      test: ['core/run/push-all.test.ts'],
    },
    {
      rule: 'What becomes due during a push is kept back by the rate until then.',
      at: 'pushAll',
      swap: ['rateLimit(area, notBefore)', 'rateLimit(area)'],
      test: ['core/run/push-all.test.ts'],
    },
    {
      rule: 'A lease whose former holder may still go on is waited for.',
      at: 'quietUntil',
      swap: ['Math.max(0, QUIET_MS - idleMs)', 'Math.min(QUIET_MS, Math.max(0, QUIET_MS - idleMs))'],
      test: ['core/run/push-all.test.ts'],
    },
    {
      rule: 'A worker sends nothing while the former holder of its lease may still go on.',
      at: 'work',
      swap: [/await clock\.sleep\(quietUntil\(.*\);/, ''],
      test: ['core/run/run-worker.slow.test.ts', 'a worker on another copy of the database waits'],
    },
  ],
  'A failed read makes nothing vanish': [
    {
      rule: 'A read that begins again counts anew.',
      at: 'createStageSink',
      swap: [/(?<!let )taken = 0;/, ''],
      test: ['core/sweep/stage-sink.test.ts'],
    },
    {
      rule: 'A read that begins again stages anew.',
      at: 'createStageSink',
      swap: [/await .*staging\.clear\(.*\);/, ';'],
      test: ['core/sweep/stage-sink.test.ts'],
    },
    {
      rule: 'A renaming takes back the vanishing of no other key.',
      at: 'createStaging',
      swap: ['and key = any(:keys) ', ''],
      test: ['core/ledger/staging.test.ts', 'a renaming takes back the vanishing'],
    },
    {
      rule: 'A renamed key that vanished in an earlier sweep does not count as vanished now.',
      at: 'createStaging',
      swap: ['s.vanished_at is null and exists', 'exists'],
      test: ['core/ledger/staging.test.ts', 'a key that vanished in an earlier sweep'],
    },
    {
      rule: 'A vanished key does not displace the one under which the record comes back.',
      at: 'createStaging',
      swap: ['s.key <> f.key and s.vanished_at is null', 's.key <> f.key'],
      test: ['core/ledger/staging.test.ts', 'a vanished key does not displace'],
    },
    {
      rule: 'A sweep of which staged findings are missing is not marked as done.',
      at: 'createPublish',
      swap: ['if (published !== expected)', 'if (published > expected)'],
      test: ['core/ledger/staging.test.ts', 'a sweep of which staged findings are missing'],
    },
  ],
  'No database can block a run for ever': [
    {
      rule: 'A signal ends a publication between two batches.',
      at: 'createPublish',
      swap: [/if \(signal\.aborted\) throw .*;/, ''],
      test: ['core/ledger/staging.test.ts', 'a signal ends a publication between two batches'],
    },
  ],
  'A command ends with its work': [
    {
      rule: 'A reply that came before the request was sent does not mean its payload.',
      at: 'Exchange',
      swap: [/statusCode >= 200 && .*writableFinished/, 'false'],
      test: ['core/platform/hostile-replies.test.ts'],
    },
  ],
  'One bad record holds up nothing else': [
    {
      rule: 'Where nothing passes, a control decides whether refusals are about their records.',
      at: 'decideRow',
      swap: [/if \(control === 'open'\) return .*;/, ''],
      test: ['core/push/area.test.ts', 'a control that passes shows'],
    },
    {
      rule: 'What is refused alike by everything rejects nobody.',
      at: 'Undecided',
      swap: ["if (judged?.kind === 'accepted') {", 'if (judged !== null) {'],
      test: ['core/push/area.test.ts', 'a control that is refused alike'],
    },
    {
      rule: 'The try after a stop begins with another record than those that the stop was about.',
      at: 'recordHandedBack',
      swap: [/next_attempt_at = case .* end,/, ''],
      test: ['core/control.slow.test.ts', 'begins with another record'],
    },
    {
      rule: 'A control counts as nothing that was sent.',
      at: 'countedAs',
      swap: ['true ? null :', "true ? 'accepted' :"],
      test: ['core/push/area.test.ts', 'a control that passes shows'],
    },
    {
      rule: 'A row of 2xx that say failure is an outage, not rejections.',
      at: 'othersPass',
      swap: ['reading.inARow < OF_ITS_OWN', 'reading.inARow < 1_000'],
      test: ['core/push/area.test.ts', 'a row of them is an outage'],
    },
    {
      rule: 'Of the records that an outage deferred, the one that was tried the longest ago tries the area.',
      at: 'createClaim',
      swap: ["'s.attempted_at, '", "''"],
      test: ['cli/outages.slow.test.ts', 'one record that always fails'],
    },
    {
      rule: 'A row that cannot be sent leaves what the platform holds as it is, and the others are sent.',
      at: 'publishBatch',
      swap: [/coalesce\(excluded\.desired_hash, .*\)/, 'excluded.desired_hash'],
      test: ['core/ledger/staging.test.ts', 'an invalid record keeps what was desired and acknowledged'],
    },
    {
      rule: 'An approval of a stopped push leaves an older approval of the sweep as it is.',
      at: 'createApprove',
      swap: [/coalesce\((hold -> 'counts'), approval\)/, '$1'],
      test: ['core/ledger/entity-states.test.ts', 'leaves an older approval of the sweep as it is'],
    },
  ],
  'One process at a time': [
    {
      rule: 'A statement of a holder checks the token.',
      at: 'heldLeaseSql',
      swap: ['token = :token and ', ''],
      test: ['core/ledger/queue/queue.test.ts', 'a take-over under another'],
    },
    {
      rule: 'A statement of a holder checks the nonce.',
      at: 'heldLeaseSql',
      swap: [' and nonce = :nonce', ''],
      test: ['core/ledger/queue/queue.test.ts', 'a take-over under another'],
    },
    {
      rule: 'A publication looks at its lease in every batch.',
      at: 'createPublish',
      swap: [
        'await underLease((statements) =>\n          publishBatch(',
        'await database.transaction((statements) => publishBatch(',
      ],
      test: ['core/ledger/staging.test.ts', 'a publication looks at its lease before every batch'],
    },
    {
      rule: 'The safe time of a lease counts from asking for it.',
      at: 'holdLease',
      swap: [', asked)', ', clock.monotonic())'],
      test: ['core/leases.test.ts'],
    },
    {
      rule: 'The safe time of a renewed lease counts from asking for the renewal.',
      at: 'keepLease',
      swap: ['safeSince = asking', 'safeSince = moment(clock)'],
      test: ['core/leases.test.ts'],
    },
    {
      rule: 'A statement that finds the lease lost ends all work under it.',
      at: 'keepLease',
      swap: [/if \(.* === 'lease-lost'\) end\(.*\);/, ''],
      test: ['core/leases.test.ts'],
    },
    {
      rule: 'A run whose lease was lost has failed, also when nothing was under way.',
      at: 'runSync',
      swap: [/if \(cause\) throw .*;/, ''],
      test: ['core/run/run-sync.slow.test.ts', 'a run whose lease is lost while nothing is under way'],
    },
  ],
  'A state database that went back in time is noticed': [
    {
      rule: 'A resync of single records does not end the doubt of a whole entity.',
      at: 'resync',
      swap: ['doubt = keys ===', 'doubt = keys !=='],
      test: [
        'core/restored-state.slow.test.ts',
        'ends the doubt of what it sends again, one of single records does not',
      ],
    },
    {
      rule: 'A lease that was renewed less often than this process has seen is in doubt.',
      at: 'createLeases',
      swap: [/\(renewed \? .*\) < known \|\|/, ''],
      test: ['core/ledger/leases.slow.test.ts', 'a renewal that finds fewer renewals'],
    },
    {
      rule: 'A lease that was taken in another copy of the database is in doubt.',
      at: 'acquireRow',
      swap: [/ \|\| \(taken\.elsewhere && .*\)\)/, ')'],
      test: ['core/ledger/leases.slow.test.ts', 'a later process notices by the lease'],
    },
  ],
  'A missed time of the schedule is made up for': [
    {
      rule: 'A tenant that is paused is not due.',
      at: 'MAY_RUN',
      swap: [' and not paused', ''],
      test: ['features/fleet/state/tenants.test.ts', 'one that is paused, disabled or removed is not due'],
    },
  ],
  'One ledger, one platform': [
    {
      rule: 'A run looks at the environment again under its leases.',
      at: 'runSync',
      swap: [/await checkEnvironment\(.*\);(?=\s+return recordRun)/, ''],
      test: ['core/run/run-sync.slow.test.ts', 'a ledger that is given to another platform'],
    },
    {
      rule: 'A standby looks at the environment again when its turn comes.',
      at: 'work',
      swap: [/await checkEnvironment\(.*\);/, ''],
      test: ['core/run/run-worker.slow.test.ts', 'a standby looks again when its turn comes'],
    },
  ],
  'One ledger, one source': [
    {
      rule: 'An approval of counts allows no other source.',
      at: 'guard covers',
      swap: [/counts\.source === undefined \|\| .*\)/, 'true)'],
      test: ['core/domain/guard.test.ts'],
    },
  ],
  'A ledger moves without a lost or doubled record': [
    {
      rule: 'A move undoes only itself: one that stood still finds that another has taken it over.',
      at: 'createLedgerMoves',
      swap: ["t.move ->> 'id' = :instead", ':instead = :instead'],
      test: ['features/fleet/ledgers.test.ts'],
    },
    {
      rule: 'A run that holds a lease is waited for.',
      at: 'sealLedger',
      swap: [/if \(held\) return .*;/, ''],
      test: ['features/fleet/ledgers.test.ts', 'a run that is under way is waited for'],
    },
    {
      rule: 'While the ledger of a tenant moves, no run of it begins.',
      at: 'MAY_RUN',
      swap: [' and move is null', ''],
      test: ['features/fleet/ledgers.test.ts', 'a move that was cut off is undone'],
    },
    {
      rule: 'A move that another one has followed changes the row no more.',
      at: 'createLedgerMoves',
      swap: [/ and move ->> 'id' = :id and ledger = :from(?= returning name)/, ''],
      test: ['features/fleet/ledgers.test.ts', 'a holder that was stopped and goes on later'],
    },
    {
      rule: 'A ledger that came into force is not taken for a copy.',
      at: 'unsealLedger',
      swap: ["holder = '', ", ''],
      test: ['features/fleet/ledgers.test.ts', 'a holder that was stopped and goes on later'],
    },
    {
      rule: 'Only a ledger that this move has sealed is deleted.',
      at: 'dropSealed',
      swap: [/holders\.some\(.*\)/, 'false)'],
      test: ['features/fleet/ledgers.test.ts', 'a holder that was stopped and goes on later'],
    },
    {
      rule: 'Numbers go on where the old ledger was.',
      at: 'copySequence',
      swap: ['cast(:value as bigint), :isCalled', '1, :isCalled and :value is null'],
      test: ['features/fleet/ledgers.test.ts', 'a ledger moves as it is'],
    },
  ],
  'A webhook is stored once, and before it is answered': [
    {
      rule: 'A webhook is answered only after it is stored.',
      at: 'receiveWebhook',
      swap: [/inboxInTime\(.*?\)/, "Promise.resolve<'stored'>('stored')"],
      test: ['features/webhook/start-webhook.test.ts', 'is answered 503'],
    },
    {
      rule: 'An application that comes again with other data is a further version.',
      at: 'storeApplication',
      swap: ['if (versions.some(', 'if (versions.length > 0 || versions.some('],
      test: ['features/webhook/state/inbox.slow.test.ts', 'with other data is a further version'],
    },
  ],
  'Memory and storage stay bounded': [
    {
      rule: 'A record keeps the time at which it vanished first.',
      at: 'publishVanished',
      swap: [/coalesce\(s\.vanished_at, now\(\)\)/, 'now()'],
      test: ['core/ledger/staging.test.ts', 'a record keeps the time at which it vanished first'],
    },
    {
      rule: 'A run deletes what is past its retention.',
      at: 'recordRun',
      swap: [/await pruneState\(.*\);/, ''],
      test: ['core/run/resync.slow.test.ts', 'a run deletes what is past its retention'],
    },
    {
      rule: 'A status is not deleted before its application, so that it is not sent again.',
      at: 'PRUNE_STATUSES',
      swap: [/a\.application_id = s\.platform_id/, 'false'],
      test: ['core/application-statuses.slow.test.ts', 'an old status leaves with its requests'],
    },
    {
      rule: 'A record that is being sent is not deleted.',
      at: 'createLedger',
      swap: [' and s.claim_token is null', ''],
      test: ['core/ledger/ledger.test.ts', 'long vanished records are pruned'],
    },
  ],
  'Every request is in the journal': [
    {
      rule: 'A request that a kill cut off is in the journal.',
      at: 'queue takeOverClaims',
      swap: [/await appendDeliveries\(.*\);/, ''],
      test: ['features/report/deliveries.test.ts', 'a take-over notes the requests of a dead process'],
    },
    {
      rule: 'A closing that was cut off is noted as a closing.',
      at: 'queue takeOverClaims',
      swap: [/case when s\.sent_hash = .* end/, 'cast(null as jsonb)'],
      test: ['features/report/deliveries.test.ts', 'was closing, changing or deleting'],
    },
    {
      rule: 'A request whose claim a resend request ended is in the journal too.',
      at: 'appendDeliveries',
      swap: [/exists \(select 1 from :schema:\.lease .*\)\s+or /, ''],
      test: ['features/report/deliveries.test.ts', 'its request is noted all the same'],
    },
  ],
  'A person’s data can be erased': [
    {
      rule: 'A reply that arrives after the erasure is not noted.',
      at: 'appendDeliveries',
      swap: ["not (${isOfPerson('r')})", 'true'],
      test: ['features/report/deliveries.test.ts', 'of a status that was erased meanwhile'],
    },
    {
      rule: 'A sweep that had read an erased person does not store her again.',
      at: 'publishBatch',
      swap: ['not cast(:needsInbox as boolean)', 'true or not cast(:needsInbox as boolean)'],
      test: ['core/ledger/staging.test.ts', 'of an application that was erased meanwhile'],
    },
  ],
  'Who acts by hand leaves a row': [
    {
      rule: 'A row is written before the work begins.',
      at: 'asNoted',
      swap: [/await actions\.begin\(.*\)/, "'0'"],
      test: ['cli/actions.test.ts', 'a command that fails leaves its row'],
    },
  ],
  'Secrets and personal data': [
    {
      rule: 'What the platform says about an application is not kept.',
      at: 'Sender',
      swap: ['entity.repeatable &&\n      reply', ' reply'],
      test: ['core/application-statuses.slow.test.ts', 'a 409 to a first use'],
    },
  ],
  'The time zone of the machine does not matter': [
    {
      rule: 'Times are sent in the zone of the platform, whatever the zone of the machine.',
      at: 'formatterOf',
      swap: ['timeZone,\n', ''],
      test: ['core/contract/schema-fields.test.ts'],
    },
  ],
  'Killed anywhere': [
    {
      rule: 'A process that stood still writes no request whose time is over.',
      at: 'guardWrites',
      swap: ['if (mayLeave()) return false;', 'if (mayLeave() || !begun) return false;'],
      test: ['core/platform/late-writes.test.ts'],
    },
    {
      rule: 'Who takes over ends every open claim like an attempt without reply.',
      at: 'queue takeOverClaims',
      swap: ['acknowledged_hash = null, ', ''],
      test: ['core/ledger/queue/queue.test.ts', 'after a take-over it is unknown'],
    },
    {
      rule: 'A worker that takes over ends the claims of all entities, also of those it does not send.',
      at: 'take-over takeOverClaims',
      swap: [', null, options', ', [], options'],
      test: ['core/run/run-worker.slow.test.ts', 'a worker ends the open claims of a dead process'],
    },
  ],
  '': [
    {
      rule: 'What was never at the platform is not created there in order to be closed.',
      at: 'Sender',
      swap: [/if \(await this\.#closesNothing\(departure\)\) return .*;/, ''],
      test: ['cli/plan.test.ts', 'the platform is asked before'],
    },
    {
      rule: 'Who waits for a turn comes before who asks later.',
      at: 'shared-rates RESERVED',
      swap: ['own_turn <= ms', 'true or own_turn <= ms'],
      test: ['features/fleet/state/shared-rates.test.ts', 'who waits for a turn'],
    },
    {
      rule: 'A child waits until the platform had time to make its new parent known.',
      at: 'SETTLING',
      swap: ['now() - :settle', 'now() + :settle'],
      test: ['cli/other-replies.slow.test.ts', 'new company everywhere'],
    },
    {
      rule: 'A record that is known to differ stays a problem until the platform has accepted it again.',
      at: 'DRIFTED',
      swap: ['acknowledged_at < ', 'acknowledged_at > '],
      test: ['features/verify/null-objects.test.ts'],
    },
    {
      rule: 'Of two processes that find the same trouble at once, one notifies.',
      at: 'createNoticeStore',
      swap: [/await .*lock table :schema:\.notice .*;/, ''],
      test: ['core/ledger/runs.test.ts', 'of two processes that find the same trouble at once'],
    },
  ],
};
