import { codeText } from './code-text.js';
import type { TroubleTexts, Words } from './trouble-text.js';

const GUARDS: TroubleTexts['guards'] = {
  'empty-source': 'The query returned nothing, although records were there before.',
  'max-vanished-percent': 'Too large a share of the records is no longer in the source.',
  'max-vanished-count': 'Too many records are no longer in the source.',
  'max-invalid-percent': 'Too large a share of the records is invalid.',
};

const ERROR_CODES: TroubleTexts['errorCodes'] = {
  'query-failed': 'The query failed.',
  'column-contract': 'The query returns a column too many, one of them twice, or lacks one.',
  'null-key': 'The query returns rows without a key.',
  'duplicate-key': 'The query returns a record more than once.',
  'key-order': 'The database returned keys in another order than it was asked for.',
  'row-security': 'Row-level security would hide rows, and hidden rows look like deleted ones.',
  'source-unavailable': 'The source cannot be reached.',
  'state-unavailable': 'The state database cannot be reached.',
  'state-failed': 'The state database refused a statement.',
  'lease-lost': 'The process lost its lease.',
  unbalanced: 'Its counts do not add up.',
  'authentication-refused': 'The platform refused our credentials (401 or 403).',
  redirected: 'The platform answered with a redirect, which a signed request never follows.',
  'breaker-open': 'The platform does not answer as it should.',
  'long-pause': 'The platform asked for a long pause, or for one pause after the other.',
};

const STOP_HINTS: TroubleTexts['stopHints'] = {
  'authentication-refused':
    'Check the clock of this machine, client id and secret, and whether the platform lets its address in.',
  redirected: 'Set the base URL to the address that answers directly, and start the worker again.',
  'breaker-open': 'See whether the platform is known to be down, and whether this machine reaches it.',
  'long-pause': 'Wait. If it happens often, lower ratePerSecond.',
};

const began = (at: string | null) => (at === null ? '' : ` It began ${at}.`);

const stays = (count: number | null, number: Words['number']) =>
  count === null
    ? 'Everything stays pending.'
    : `${number(count)} ${count === 1 ? 'record stays' : 'records stay'} pending.`;

/** Everything that is said of troubles, in English. */
export const ENGLISH_TROUBLES: TroubleTexts = {
  guards: GUARDS,
  errorCodes: ERROR_CODES,
  stopHints: STOP_HINTS,
  parentAbsent: (parent) => `its parent is not in the query of ${parent}`,
  parentBlocked: (parent) => `its parent is invalid, rejected or vanished: ${parent}`,
  lasts: { held: 'is held', 'auth-refused': 'refuses our credentials', stale: 'is stale' },
  over: {
    held: 'is no longer held',
    'auth-refused': 'accepts our credentials again',
    stale: 'is in step again',
  },
  troubles: {
    standstill: () => ({
      title: 'Nobody sweeps or sends',
      sentence: 'No process holds the leases.',
      hint: 'Start the worker. A standby takes over by itself within seconds.',
    }),
    interrupted: () => ({
      title: 'Stopped by a signal',
      sentence: 'What was accepted is recorded.',
      hint: 'The next run goes on from here.',
    }),
    'run-failed': ({ code }) => ({
      title: 'The run failed',
      sentence: codeText(ERROR_CODES, code) ?? 'Something unexpected ended it.',
      hint: 'Nothing is lost, and the next run tries again. If it stays so, look at the log.',
    }),
    'auth-refused': ({ subject, hint, count }, { area, number }) => ({
      title: `${area(subject.area)}: the platform refuses our credentials`,
      sentence: `The platform answered 401 or 403, so nothing is sent there. ${stays(count, number)}`,
      hint: hint ?? STOP_HINTS['authentication-refused'],
    }),
    'area-stopped': ({ subject, code, hint, count }, { area, number }) => ({
      title: `${area(subject.area)}: sending stopped`,
      sentence: [codeText(ERROR_CODES, code) ?? [], stays(count, number)].flat().join(' '),
      hint: hint ?? codeText(STOP_HINTS, code) ?? STOP_HINTS['breaker-open'],
    }),
    outage: ({ subject, count }, { area, number }) => ({
      title: `${area(subject.area)}: the platform does not answer`,
      sentence: `Of the last requests none was accepted; ${number(count ?? 0)} were put off. Nothing is lost: they are sent again by themselves.`,
      hint: STOP_HINTS['breaker-open'],
    }),
    'in-doubt': ({ entities, since }, { entity, when }) => ({
      title: 'The state database was restored or failed over',
      sentence: `${since ? `Noticed ${when(since)}. ` : ''}The platform may hold something else than the ledger says: ${entities.map((one) => entity(one.entity)).join(', ')}.`,
      hint: 'Compare all records with the platform; those that differ are sent again. What cannot be read back: resync.',
    }),
    held: ({ subject, guard, message, since, approved }, { entity, when }) => ({
      title: `${entity(subject.entity)}: held`,
      // What a guard counted is in words of ours.
      sentence: `${GUARDS[guard]} ${message === null ? '' : `${message} `}Nothing of the sweep was applied.${began(since && when(since))}`,
      hint: approved
        ? 'Approved: the next run applies it, if it finds no more than this.'
        : 'If this is what you want, approve it. If not, correct the query or the source; the next run looks again.',
    }),
    'push-held': ({ subject, count, since }, { entity, number, when }) => ({
      title: `${entity(subject.entity)}: held`,
      sentence: `The platform refused ${number(count ?? 0)} records in a row and accepted none, so nothing more of it is sent.${began(since && when(since))}`,
      hint: 'Correct what the platform objects to, then approve. The rejected records become pending again.',
    }),
    failed: ({ subject, code }, { entity }) => ({
      title: `${entity(subject.entity)}: the last run could not read it`,
      sentence: `${codeText(ERROR_CODES, code) ?? ''} Nothing of it was applied.`.trim(),
      hint: 'Correct the query or the source. The next run tries again.',
    }),
    stale: ({ subject, since, afterMs, held, lastErrorCode }, { entity, when, span }) => ({
      title: `${entity(subject.entity)}: no success for a long time`,
      sentence: [
        since ? `The last success was ${when(since)};` : 'There has been no success yet;',
        `more than ${span(afterMs)} counts as stale.`,
        ...(held ? ['It is held.'] : lastErrorCode ? [`What went wrong last: ${lastErrorCode}.`] : []),
      ].join(' '),
      hint: held
        ? 'Fix what holds it, or approve it.'
        : 'See what is pending or deferred, and how the last runs ended.',
    }),
    rejected: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} rejected`,
      sentence: 'The platform refused them. They are not sent again until they change or are retried.',
      hint: 'Correct the source; a changed record is sent by itself. If the platform was wrong, retry.',
    }),
    unmapped: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ${count === 1 ? 'code' : 'codes'} without an id`,
      sentence: 'Records with such a code are not sent.',
      hint: 'Fill in the ids in the lookup file. A worker reads lookups when it starts, so start it again.',
    }),
    invalid: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} invalid`,
      sentence: 'Their rows have errors, so they are not sent.',
      hint: 'Correct the source or the query. The next run sends what has become valid.',
    }),
    blocked: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} ${count === 1 ? 'waits' : 'wait'} for a parent that does not come`,
      sentence: 'The platform takes them only after their parents.',
      hint: 'Correct the parents; what waits for them follows by itself.',
    }),
    deferred: ({ subject, count }, { entity, number }) => ({
      title: `${entity(subject.entity)}: ${number(count ?? 0)} deferred`,
      sentence: 'The last attempt failed for now. It is made again by itself.',
      hint: 'Nothing to do. If there are more and more, see whether the platform is known to be down.',
    }),
  },
};
