import { countedRecords } from '../../core/domain/text.js';
import type { LedgerParentProblem } from '../../core/domain/reason.js';
import { approvalSentence, codeText, type TroubleTexts, type Words } from './consequences.js';
import { causeText } from '../../core/domain/trouble/stop-causes.js';
import { MOST_COUNTED, type TroubleOf, type WebhookRefusal } from '../../core/domain/trouble/trouble.js';

type Why = Pick<TroubleOf<'area-stopped'>, 'code' | 'cause'>;

const PARENT_IS: Readonly<Record<LedgerParentProblem, string>> = {
  'parent-absent': 'is not in the ledger',
  'parent-vanished': 'is no longer in its query',
  'parent-invalid': 'is invalid',
  'parent-rejected': 'was rejected',
};

const GUARDS: TroubleTexts['guards'] = {
  'other-source': 'The rows do not come from the source of before.',
  'empty-source': 'The query returned no rows, but the ledger has records.',
  'max-vanished-percent': 'The share of records that are no longer in the source is too large.',
  'max-vanished-count': 'Too many records are no longer in the source.',
  'max-invalid-percent': 'The share of invalid records is too large.',
  'max-changed-percent': 'The share of records that changed at once is too large.',
};

const ERROR_CODES: TroubleTexts['errorCodes'] = {
  'query-failed': 'The query failed.',
  'column-contract':
    'The query cannot be used: a column is missing, unknown or there twice, or a key or row version is too long.',
  'null-key': 'The query returns rows without a key.',
  'duplicate-key': 'The query returns the same key more than once.',
  'key-order': 'The database returned the keys in the wrong order.',
  'row-security': 'Row-level security would hide rows, and hidden rows would look deleted.',
  'replica-lag': 'The source is a replica that is too far behind.',
  'source-unavailable': 'The source cannot be reached.',
  'state-unavailable': 'The state database cannot be reached.',
  'state-failed': 'The state database refused a statement.',
  'lease-lost': 'The process lost its lease.',
  unbalanced: 'The counts of the run do not add up.',
  'adapter-failed': 'The adapter in the configuration failed, so nobody can say what the platform wants.',
  'authentication-refused': 'The platform refused our credentials.',
  redirected: 'The platform answered with a redirect. Signed requests never follow one.',
  'request-refused': 'The platform refuses the way of asking, whatever the record.',
  'same-refusal': 'The platform refuses everything, for the same reason.',
  'breaker-open': 'The platform does not answer, or only with errors.',
  'long-pause': 'The platform asked for a long pause, or for several pauses in a row.',
  'reply-not-understood': 'The platform answers with success, but its replies are not understood.',
};

const STOP_HINTS: TroubleTexts['stopHints'] = {
  'adapter-failed': 'Correct the module that platform.adapter names: placement-sync config check loads it.',
  'authentication-refused':
    'Check the clock of this machine, the client id and secret, and whether the platform allows the address of this machine.',
  redirected: 'Set the base URL to the address that answers directly, and restart the worker.',
  'request-refused':
    'The error names the status, and the setting of platform.operations or platform.headers that changes the request.',
  'same-refusal':
    'Read the words of the platform: placement-sync explain. Then change the setting or the query. If the platform was wrong, nothing needs to be done: one request tries again.',
  'breaker-open':
    'The last error says whether the platform is down, whether this machine can reach it, or what it asks for.',
  'long-pause':
    'The worker, or the next run, tries again with one request. If it happens often, lower ratePerSecond.',
  'reply-not-understood':
    'The error names the part of the reply that is missing, and the function of platform.adapter that can say where it is.',
};

/** Why nothing is sent to an area, and what to do. */
const stopSays = ({ code, cause }: Why) => causeText(cause, 'en')?.says ?? codeText(ERROR_CODES, code) ?? '';
const stopHint = ({ code, cause, hint }: Why & { readonly hint: string | null }) =>
  hint ?? causeText(cause, 'en')?.hint ?? codeText(STOP_HINTS, code) ?? STOP_HINTS['breaker-open'];

const began = (at: string | null) => (at === null ? '' : ` It began ${at}.`);

const stays = (count: number | null, number: Words['number']) =>
  count === null
    ? 'Everything stays pending.'
    : `${number(count)} ${count === 1 ? 'record stays' : 'records stay'} pending.`;

/** Why the latest webhook was refused, and what to do. */
const REFUSALS: Readonly<Record<WebhookRefusal, readonly [string, string]>> = {
  header: [
    'one of the four headers of a signed request is missing',
    'Check whether a proxy takes headers out. The log names the header.',
  ],
  signature: [
    'its signature fits none of webhook.secrets',
    'Compare webhook.secrets with the secret of the platform, and webhook.signedPath with the path that it signs.',
  ],
  time: [
    'its time cannot be read',
    'Compare the clock of this machine with another one. If the clock is right, the log has the time as far as it is off: raise webhook.tolerance, or ask the platform.',
  ],
  size: ['its body is larger than 1 MiB', 'Ask the platform what it sends.'],
  encoding: [
    'its body is compressed, and not with gzip',
    'Ask the platform to send gzip, or no compression.',
  ],
  json: ['its body is not JSON', 'Ask the platform what it sends, and check whether a proxy changes it.'],
};

/** `630 of these 641 are of PT Maju. `: whose records a hold is about; empty: nobody's, or not known. */
function whose({ whose: found }: TroubleOf<'held'>, { number }: Words): string {
  if (found === null) return '';
  const { entity, parents, count, most } = found;
  const name = most.name ?? countedRecords(1, entity);
  if (parents === 1) return `All of them are of ${name}. `;
  return most.count * 2 > count
    ? `${number(most.count)} of these ${number(count)} are of ${name}. `
    : `They are of ${countedRecords(parents, entity)}. `;
}

/** `4,616 of 6,014 records. `, where that was counted. */
function share(count: number | null, of: number | undefined, number: Words['number']): string {
  const all = of === undefined || of > MOST_COUNTED ? '' : ` of ${number(of)}`;
  const more = (count ?? 0) > MOST_COUNTED;
  return of === undefined || count === null
    ? ''
    : `${more ? 'More than ' : ''}${number(more ? MOST_COUNTED : count)}${all} records. `;
}

/** Every text about troubles, in English. */
export const ENGLISH_TROUBLES: TroubleTexts = {
  guards: GUARDS,
  errorCodes: ERROR_CODES,
  stopHints: STOP_HINTS,
  parentAbsent: (parent) =>
    `its parent is not in the query of ${parent}, or their last sweep was not applied`,
  parentBlocked: (parent, problem) => `its parent ${PARENT_IS[problem]}: ${parent}`,
  lasts: {
    held: 'is held',
    'auth-refused': 'refuses our requests',
    stale: 'is stale',
    'webhook-refused': 'refuses what it receives',
    'taken-down': 'has records that the platform took down',
    'area-stopped': 'takes nothing',
    failed: 'could not be read',
    rejected: 'has many rejected records',
    invalid: 'has many invalid records',
    waiting: 'has many records that wait for a parent',
  },
  over: {
    held: 'is no longer held',
    'auth-refused': 'accepts our requests again',
    stale: 'is in step again',
    'webhook-refused': 'accepts what it receives again',
    'taken-down': 'has no record any more that the platform took down',
    'area-stopped': 'takes records again',
    failed: 'was read again',
    rejected: 'has few or no rejected records now',
    invalid: 'has few or no invalid records now',
    waiting: 'has few or no records that wait for a parent now',
  },
  troubles: {
    standstill: () => ({
      title: 'No worker is running',
      sentence: 'No process holds the leases.',
      hint: 'Start the worker. If a standby is running, it takes over within seconds.',
    }),
    interrupted: () => ({
      title: 'Stopped by a signal',
      sentence: 'What the platform accepted is recorded.',
      hint: 'The next run continues from here.',
    }),
    'run-failed': ({ code }) => ({
      title: 'The run failed',
      sentence: codeText(ERROR_CODES, code) ?? 'An unexpected error ended it.',
      hint: 'Nothing is lost, and the next run tries again. If it fails again, read the log.',
    }),
    'auth-refused': ({ subject, hint, count, cause }, { area, number }) => ({
      title: `${area(subject.area)}: ${cause === null ? 'the platform refused our credentials' : 'our requests are refused'}`,
      sentence: `${causeText(cause, 'en')?.says ?? 'The platform does not accept our client id or signature.'} Nothing is sent there. ${stays(count, number)}`,
      hint: stopHint({ code: 'authentication-refused', cause, hint }),
    }),
    'area-stopped': ({ subject, code, hint, count, since, pausedUntil, cause }, { area, number, when }) =>
      pausedUntil
        ? {
            title: `${area(subject.area)}: the platform asked us to pause`,
            sentence: `Nothing is sent there until the pause ends, ${when(pausedUntil)}. ${stays(count, number)}`,
            hint: 'Nothing to do. After the pause the worker, or the next run, sends them. To try earlier, use placement-sync retry.',
          }
        : {
            title: `${area(subject.area)}: sending stopped`,
            sentence:
              `${stopSays({ code, cause })}${began(since && when(since))} ${stays(count, number)}`.trim(),
            hint: stopHint({ code, cause, hint }),
          },
    'in-doubt': ({ entities, since }, { entity, when }) => ({
      title: 'The state database was restored or failed over',
      sentence: `${since ? `Noticed ${when(since)}. ` : ''}The platform may hold other data than the ledger says: ${entities.map((one) => entity(one.entity)).join(', ')}.`,
      hint: 'Compare all records with the platform; records that differ are sent again. For records that cannot be read back, use resync.',
    }),
    'webhook-refused': ({ count, since, lastAt, reason, offsetMs }, { number, when, span }) => ({
      title: 'Webhooks are refused',
      sentence: [
        `${number(count ?? 0)} refused${since ? `, the first ${when(since)}` : ''}, and none accepted after them: job applications may be lost.`,
        `The latest came ${when(lastAt)}: ${
          offsetMs === null
            ? REFUSALS[reason][0]
            : `its time is ${span(Math.abs(offsetMs))} ${offsetMs < 0 ? 'behind' : 'ahead of'} the clock here`
        }.`,
      ].join(' '),
      hint: REFUSALS[reason][1],
    }),
    held: (trouble, words) => ({
      title: `${words.entity(trouble.subject.entity)}: held`,
      // The message of a guard is our own text.
      sentence: [
        `${GUARDS[trouble.guard]} ${trouble.message === null ? '' : `${trouble.message} `}`,
        whose(trouble, words),
        `Nothing of the sweep was applied.${began(trouble.since && words.when(trouble.since))}`,
        approvalSentence(trouble, 'en', words),
      ].join(''),
      hint: trouble.approved
        ? 'Approved. The next run applies it, unless it finds more than this.'
        : trouble.guard === 'other-source'
          ? 'A copy, or the database of somebody else: put source.url back; the next run then ends the hold. You moved or restored your database: approve it.'
          : 'If this is correct, approve it. If not, correct the query or the source; the next run checks again.',
    }),
    'push-held': (trouble, words) => ({
      title: `${words.entity(trouble.subject.entity)}: held`,
      sentence: [
        `The platform rejected ${words.number(trouble.count ?? 0)} records in a row and accepted none, so no more are sent.`,
        began(trouble.since && words.when(trouble.since)),
        approvalSentence(trouble, 'en', words),
      ].join(''),
      hint: 'Correct what the platform rejects, then approve.',
    }),
    failed: ({ subject, code }, { entity }) => ({
      title: `${entity(subject.entity)}: the last run could not read it`,
      sentence: `${codeText(ERROR_CODES, code) ?? ''} Nothing of it was applied.`.trim(),
      hint: 'Correct the query or the source. The next run tries again.',
    }),
    stale: (
      { subject, since, afterMs, held, keptBack, lastErrorCode, deferred, byWorker, stop },
      { entity, when, span },
    ) => ({
      title: `${entity(subject.entity)}: no success for a long time`,
      sentence: [
        since ? `The last success was ${when(since)};` : 'There has been no success yet;',
        `more than ${span(afterMs)} counts as stale.`,
        ...(held
          ? ['It is held.']
          : stop
            ? [`Nothing is sent to its area. ${stopSays(stop)}`.trim()]
            : lastErrorCode
              ? [`Last error: ${lastErrorCode}.`]
              : []),
        ...(keptBack ? ['Many of its records cannot be sent before somebody corrects them.'] : []),
        ...(deferred
          ? [
              `Records are deferred${deferred.since ? `; the oldest became due ${when(deferred.since)}` : ''}; the last attempt ${deferred.statusCode === null ? 'had no reply' : `was answered with HTTP ${deferred.statusCode}`}.`,
            ]
          : []),
      ].join(' '),
      hint: held
        ? 'Fix the cause, or approve.'
        : stop
          ? stopHint(stop)
          : deferred
            ? 'Look at the deferred records: each names its last error.'
            : keptBack
              ? 'Correct what status names.'
              : byWorker
                ? 'The log of the worker says what its last sweep met; doctor looks at the source and the platform now.'
                : 'One run shows what keeps it back. If a worker or a schedule should have run it, check that it does.',
    }),
    slow: ({ subject, ms, usualMs }, { entity, span }) => ({
      title: `${entity(subject.entity)}: reading was slow`,
      sentence: `The last sweep read for ${span(ms)}, usually ${span(usualMs)}.`,
      hint: 'Look at the plan of the query (EXPLAIN), its indexes, and the load of the source.',
    }),
    rejected: ({ subject, count, share }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} rejected`,
      sentence: share
        ? `The platform rejects ${share.rejected > MOST_COUNTED ? `more than ${number(MOST_COUNTED)}` : number(share.rejected)} ${share.of > MOST_COUNTED ? 'records' : `of ${number(share.of)} records`}${share.statusCode === null ? '' : `, most of them with HTTP ${share.statusCode}`}. They are sent again when they change, or when you retry them.`
        : 'The platform rejected them. They are sent again when they change, or when you retry them.',
      hint: 'Correct the source: the next run sends a changed record. If the platform was wrong, or you changed a setting, retry.',
    }),
    'taken-down': ({ subject, count, refused, removed }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} taken down`,
      sentence: `The platform accepted them, and shows ${number(refused)} as refused and ${number(removed)} as removed. They are not live.`,
      hint: 'Ask the platform why. A refused one is sent again when it changes, a removed one only when you say so.',
    }),
    drifted: ({ subject, count, since }, { entity, number, when }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ${count === 1 ? 'differs' : 'differ'} at the platform`,
      sentence: `A read-back${since ? ` (${when(since)})` : ''} found that the platform lacks them or holds something else than it accepted.`,
      hint: 'Look at one of them at the platform. Then compare all records; those that differ or are missing are sent again. If the platform shows none of them, check the path of its Find first.',
    }),
    unmapped: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ${count === 1 ? 'code' : 'codes'} without an id`,
      sentence: 'Records with such a code are not sent.',
      hint: 'Fill in the ids in the lookup file. The next sweep reads it.',
    }),
    invalid: ({ subject, count, of }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} invalid`,
      sentence: `${share(count, of, number)}Their rows have errors, so they are not sent.`,
      hint: 'Correct the source or the query. The next run sends the records that are then valid.',
    }),
    blocked: ({ subject, count, of }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ${count === 1 ? 'waits' : 'wait'} for a parent that does not come`,
      sentence: `${share(count, of, number)}The platform accepts them only after their parents.`,
      hint: 'Correct the parents. The records that wait for them are then sent.',
    }),
    deferred: ({ subject, count, since, conflict, byWorker }, { entity, number, when }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} deferred`,
      sentence: [
        'The last attempt failed.',
        ...(since ? [`The oldest became due ${when(since)}.`] : []),
        byWorker ? 'The worker tries again by itself.' : 'The next run tries again.',
      ].join(' '),
      hint:
        conflict === null
          ? 'Nothing to do. If the number keeps growing, check whether the platform is down.'
          : `The platform answers (HTTP ${conflict}) and does not take the latest. Read its words and what they may mean: placement-sync explain.`,
    }),
  },
};
