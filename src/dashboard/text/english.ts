import { countedRecords } from '../../core/domain/text.js';
import type { Issue } from '../../core/domain/issue.js';
import { ENTITIES } from '../../core/entities/index.js';
import { ENGLISH_ACTIONS, ENGLISH_HISTORY, ENGLISH_REPORT } from './english-pages.js';

/** Every text of the dashboard, in English. The type `Texts` of the other languages follows from it. */
export const ENGLISH = {
  ...ENGLISH_HISTORY,
  languageName: 'English',
  skip: 'Skip to content',
  menu: 'Pages',
  more: 'More',
  overview: 'Overview',
  records: 'Records',
  menuRuns: 'Runs',
  menuInbox: 'Inbox',
  logIn: 'Log in',
  logOut: 'Log out',
  language: 'Language',
  entity: 'Entity',
  key: 'Key',
  status: 'Status',
  find: 'Find',
  keyOrTitle: 'Key or title',
  found: (words: string) => `Found for “${words}”`,
  foundIn: (entity: string) => `${entity} whose key or title contains it`,
  foundNothing: 'No record has this key, or a title that contains it. Look in the source, among:',
  matchingCsv: 'Download this list (CSV)',
  retryMatching: (count: string) => `Retry all ${count} that match …`,
  resyncMatching: (count: string) => `Send all ${count} that match again …`,
  matchingSure: (count: string, entity: string) =>
    `${count} records of ${entity} match this list. Send all of them again?`,
  show: 'Show',
  versionName: 'Version',
  version: (version: string) => `Version ${version}`,
  timesIn: (zone: string) => `Times are in ${zone}.`,
  updatedAt: (time: string, age: string | null) => `As of ${time}${age === null ? '' : `, ${age}`}.`,
  never: 'never',

  livePause: 'Pause live update',
  liveResume: 'Resume live update',
  liveLost: 'No contact with the worker since {time}. The page shows the state of that time.',
  liveUnwell: '{reason} The page shows the state of {time}.',
  liveLogin: 'You have been logged out. Load the page again to log in.',

  entityName: (name: string) => entityTitle(name, 'en'),
  areaNames: { jobs: 'Job-placement area', training: 'Training area' },
  statusNames: {
    synced: 'synced',
    pending: 'pending',
    waiting: 'waiting',
    deferred: 'deferred',
    rejected: 'rejected',
    invalid: 'invalid',
    vanished: 'closed',
  },
  leftSource: 'left the source',
  vanishedHeld: 'It is no longer in the source. The hold of its entity keeps that from being applied.',
  heldBack: (count: string) =>
    `${count === '1' ? 'One record is' : `${count} records are`} no longer in the source. The hold keeps that from being applied, so the counts are as before.`,
  expired: 'expired',
  expiredOn: (day: string) => `Expired: its last day was ${day}.`,
  ofVanished: (count: string) =>
    `Of those that left the source ${count} had expired: their last day was over.`,
  foreignRows: (count: string) =>
    `${count === '1' ? 'One more row is for an application' : `${count} more rows are for applications`} that the webhook never received (foreign). Not sent.`,
  foreignName: 'foreign',
  foreignMeaning: 'The webhook never received its application. The record is counted, but never sent.',
  statusMeanings: {
    synced: 'The platform accepted the desired data.',
    pending: 'It will be sent.',
    waiting: 'It waits for its parent. The platform has not accepted the parent yet.',
    deferred: 'The last attempt failed. The worker tries again by itself.',
    rejected: 'The platform rejected it. It is sent again when it changes, or when you press Retry.',
    invalid: 'Its row has errors, so it is not sent.',
    vanished: 'It is no longer in the source, and nothing is left to send.',
  },
  states: {
    ok: 'In step',
    sending: 'Sending',
    attention: 'Needs action',
    held: 'Held',
    failed: 'Query failed',
    refused: 'Requests are refused',
    interrupted: 'No answer, or only errors',
    stopped: 'Sending stopped',
    stale: 'Stale',
    new: 'Not synced yet',
  },
  recordsInAll: (count: string) => `${count} ${count === '1' ? 'record' : 'records'}`,
  lastSuccess: 'Last success',
  /** `12 vacancies`; `shown`: the count as people write it. */
  someOf: (count: number, _shown: string, entity: string) => countedRecords(count, entity).replace('-', ' '),
  allOf: (records: string, total: number) => (total === 1 ? records : `all ${records}`),
  partOf: (part: string, records: string) => `${part} of ${records}`,
  standing: {
    inStep: (list: string, one: boolean) =>
      `${list.charAt(0).toUpperCase()}${list.slice(1)} ${one ? 'is' : 'are'} in step.`,
    held: (records: string, total: number) =>
      `${records} ${total === 1 ? 'is' : 'are'} as before: the last sweep is held.`,
    needs: (count: string) => (count === '1' ? 'One needs you.' : `${count} need you.`),
    waits: (count: string) => (count === '1' ? 'One waits for another.' : `${count} wait for others.`),
    toSend: (count: string) => (count === '1' ? 'One is to be sent.' : `${count} are to be sent.`),
    read: (age: string, next: string | null) => `Read ${age}${next === null ? '' : `, next ${next}`}.`,
  },
  columns: {
    bar: 'Shares',
    synced: 'In step',
    toSend: 'To send',
    waits: 'Waits',
    needs: 'Needs you',
    closed: 'Closed',
    read: 'Read',
  },

  verdicts: {
    fine: 'Everything is in step',
    sending: 'Sending changes',
    attention: (count: string) => `${count} problems need your action`,
    attentionOne: 'One problem needs your action',
    refused: 'The platform refused our credentials',
    interrupted: 'The platform does not answer, or only with errors',
    stopped: 'Sending is stopped',
    paused: 'The platform asked us to pause',
    standstill: 'No worker is running',
    new: 'Nothing has been synced yet',
  },

  first: {
    title: 'No sweep yet',
    underWay: (age: string) => `The first sweep is running; it began ${age}. This page fills by itself.`,
    due: (age: string, time: string) => `The first sweep is due ${age} (${time}).`,
    notDue: 'No sweep is planned yet. The worker plans it when it starts.',
    explanation: 'A sweep runs your queries and records what to send. Then this page shows the progress.',
    hint: 'Wait for it, or start it now. In a terminal you can first see what would be sent, without sending it.',
  },

  health: 'Health by entity',

  attention: 'What to do first',
  waitsByItself: 'Waits by itself',
  nothingToDo: 'Nothing to do.',
  until: (time: string) => `until ${time}`,
  furtherCauses: (count: string) => (count === '1' ? 'One further cause' : `${count} further causes`),
  moreWait: (count: string) => `(+${count} wait)`,
  codeWithoutId: (code: string) => `Code “${code}” has no id in`,
  codesWithoutId: (count: string) => `${count} codes have no id in`,
  actors: {
    source: 'source',
    lookup: 'lookup file',
    settings: 'settings',
    platform: 'platform',
    you: 'you',
  },
  verbs: {
    start: 'Start',
    look: 'Look',
    correct: 'Correct',
    fillIn: 'Fill in',
    approve: 'Approve',
    compare: 'Compare',
    ask: 'Ask',
  },
  /** What is wrong in a field. */
  issue: (message: string, _code: Issue['code']) => message,
  attentionNothing: 'None.',
  hint: 'What to do',
  samples: 'Examples',
  orInTerminal: 'In a terminal',
  copy: 'Copy',
  copied: 'Copied',
  runbook: 'Help in the runbook',
  showList: (status: string) => `Show all: ${status}`,
  showAll: (count: string) => `Show all ${count}`,
  approve: 'Approve …',
  approveSure: (entity: string) => `Approve ${entity}?`,
  approveYes: 'Yes, approve',
  close: (records: string) => `Close ${records}`,
  delete: (records: string) => `Delete ${records}`,
  cancel: 'Cancel',
  typeNumber: (count: string) => `Type the number ${count}`,
  areaRetry: (age: string, time: string) =>
    `Nothing is lost. The worker tries again by itself, first with one request: ${age}, at ${time}.`,
  areaRetryNow: 'Nothing is lost. The worker is trying again now.',
  areaTryNow: 'Run now tries immediately.',
  learnedRate: (area: string, learned: string, ratePerSecond: string | null) =>
    `${area}: the platform takes fewer requests than configured. ${learned} a second are sent now; ${ratePerSecond === null ? 'the configuration sets no limit' : `the configuration allows ${ratePerSecond}`}.`,
  suggestedRate: (setting: string, suggested: string) =>
    `It takes about ${suggested} a second: set ${setting}: ${suggested}`,
  whatIsWrong: 'What is wrong',
  field: 'Field',
  recordCount: 'Records',
  waitForThese: (count: string, entity: string) => `${entity} that wait for these: ${count}`,
  furtherReasons: (count: string) => `Further reasons: ${count}`,
  reason: 'Reason',

  workers: 'Worker and webhook',
  rate: (area: string, perSecond: string | null) =>
    `${area}: ${perSecond === null ? 'no limit' : `at most ${perSecond} a second`}`,
  workersNobody: 'No process holds the leases.',
  leases: { sweep: 'Sweeps', push: 'Sends' },
  standby: (holder: string) => `This process (${holder}) stands by. It takes over when the leases end.`,
  thisIs: (holder: string) => `This page comes from ${holder}.`,
  runNow: 'Run now',

  recordsTitle: (entity: string, status: string) => `${entity}: ${status}`,
  allRecords: 'all records',
  atLeast: (count: string) => `at least ${count}`,
  recordsNothing: 'No records.',
  recordsNotYet: 'Nothing was found so far. Not all records were searched.',
  recordsNotAll: 'Not all records were searched.',
  searchOn: 'Search on',
  recordTitle: 'Title',
  anyStatus: 'any',
  findContaining: 'Key or title contains',
  reasonContaining: 'Reason contains',
  order: 'Order',
  orders: {
    key: 'key',
    'key-last': 'key, last one first',
    newest: 'last attempt, latest first',
    oldest: 'last attempt, earliest first',
  },
  selectOne: (key: string) => `Select ${key}`,
  selectAll: 'Select all on this page',
  selectNone: 'Select none',
  retrySelected: 'Retry selected …',
  retrySelectedSure: 'Send the selected records again? Only rejected and deferred ones are sent.',
  resyncSelected: 'Send selected again …',
  resyncSelectedSure:
    'Read the selected records again and send them, even if nothing changed? What cannot be sent is only read.',
  resyncYes: 'Yes, send again',
  checkMatching: (count: string) => `Check all ${count} that match again …`,
  checkSelected: 'Check selected again …',
  checkSure: 'Read these records again? They cannot be sent as they are.',
  checkYes: 'Check again',
  checkHint: 'The next run, which begins in a few seconds, reads the row again.',
  parent: 'Company or institution',
  next: 'Next page',
  firstPage: 'First page',
  lastReply: 'Last reply',
  detail: 'Detail',
  attempted: 'Last attempt',
  acknowledgedOn: 'Accepted',
  retryAll: (count: string) => `Retry ${count} …`,
  retrySure: (entity: string, status: string) => `Send all ${status} records of ${entity} again?`,
  retryYes: 'Yes, retry',

  decision: 'Why',
  ledger: 'Ledger',
  platformId: 'Platform id',
  reference: 'Reference',
  desiredHash: 'Desired hash',
  acknowledgedHash: 'Acknowledged hash',
  attempts: 'Failed attempts',
  atPlatform: 'At the platform',
  platformStates: {
    live: 'live',
    pending: 'accepted, not seen live yet',
    refused: 'refused after it was accepted',
    removed: 'removed after it was accepted',
    other: 'shown otherwise than sent',
  },
  nextAttempt: 'Next attempt',
  waitsFor: 'Waits for',
  requestId: 'Request-Id',
  httpStatus: 'HTTP status',
  noReply: 'no reply',
  issues: 'What is wrong',
  doubts: 'What is doubtful',
  row: 'Row',
  rowNone: 'The query does not return this record now.',
  payload: 'Payload',
  payloadNone: 'No payload.',
  personal: 'Row and payload of an application status are personal data, so this page does not show them.',
  resync: 'Send again',
  look: 'Look at the platform now',
  lookHint: 'Reads this record back and compares it with what was accepted. Nothing is changed.',
  lookedAt: 'Read back',
  resyncHint: 'Reads the record again and sends it, even if nothing changed.',
  back: 'Back to the overview',

  report: ENGLISH_REPORT,
  actions: ENGLISH_ACTIONS,
  why: 'Reason why',

  loginTitle: 'Log in',
  loginHint: 'Enter your token, from the settings http.admin.token or http.admin.tokens.',
  token: 'Token',
  loginWrong: 'The token is wrong.',
  loginTooMany: (seconds: string) => `Too many wrong tokens. Try again in ${seconds} seconds.`,

  refusals: {
    noToken: 'The dashboard is switched off',
    noTokenReason: 'It listens on an address that other machines can reach, and http.admin.token is not set.',
    noTokenHint:
      'Set http.admin.token to a long random text and restart the worker, or set http.admin.host to 127.0.0.1. Probes and metrics need no token.',
    host: 'The dashboard does not accept this address',
    hostReason: (host: string) =>
      `The request names the host "${host}". Without a token the dashboard accepts only this machine’s own names.`,
    hostHint: 'Open it as http://localhost, or set http.admin.token and log in.',
    form: 'Nothing was changed',
    formReason: 'The form is not from this dashboard, or it is older than the worker’s last start.',
    formHint: 'Go back, load the page again, and press the button again.',
    look: 'You may only look',
    lookReason: 'Your token has the role look. It shows the pages, and changes nothing. Nothing was changed.',
    lookHint: 'Ask somebody whose token has the role act, or log in with such a token.',
    noReason: 'A reason is missing',
    noReasonReason: 'The configuration asks for a reason of at most 500 characters. Nothing was approved.',
    noReasonHint: 'Go back, write in one sentence why you approve it, and press the button again.',
    noNumber: 'The number is missing',
    noNumberReason:
      'So many records end at the platform that their number must be typed. Nothing was approved.',
    noNumberHint: 'Go back, type the number that the question names, and press the button again.',
    notFound: 'Page not found',
    notFoundReason: 'This address has no page.',
    notFoundHint: 'Start from the overview.',
    noRecord: 'Record not found',
    noRecordReason: (key: string) => `Neither the query nor the ledger has the key "${key}".`,
    noRecordHint: 'Keys are compared as text, to the letter.',
    badRequest: 'The request is not valid',
    badRequestReason: 'The address or the form is incomplete, or names something that is not configured.',
    unavailable: 'The state database cannot be used',
    unavailableHint:
      'Check that the database is running and that state.url is correct. Then this page works again.',
    busy: 'The database is busy',
    busyHint:
      'Load the page again in a few seconds. If this continues, check which process locks the tables.',
    timeout: (seconds: string) => `The database did not answer within ${seconds} seconds.`,
    locked: 'Another process locks a table that the page reads, or the statement took too long.',
    manyForState: 'Too many pages are waiting for the state database.',
    manyForSource: 'Too many pages are waiting for the source.',
    otherEnvironment: 'This ledger belongs to another platform',
    unexpected: 'Something went wrong',
    unexpectedReason: 'The log of the worker has the details.',
    unexpectedHint: 'Try again. If it fails again, please report it as a defect.',
  },

  done: {
    run: 'Run requested. It starts in a few seconds.',
    runPaused: (time: string) =>
      `Run requested. It reads the source in a few seconds. The sending waits until ${time}, because the platform asked us to pause.`,
    retry: (count: string, entity: string) =>
      count === '1'
        ? `One record of ${entity} is pending again.`
        : `${count} records of ${entity} are pending again.`,
    approve: (entity: string) => `${entity}: approved.`,
    approveGrown: (entity: string) =>
      `${entity}: not approved, because a newer sweep found more than the page showed. Read it again, then approve.`,
    approveNothing: (entity: string) => `${entity} is not held, so there is nothing to approve.`,
    resync: (key: string) => `${key}: the worker reads it again and sends it.`,
    resyncNothing: (key: string) =>
      `${key} cannot be sent again: it is invalid, closed or not in the ledger. The next run checks it again.`,
    look: {
      same: (key: string) => `${key}: the platform holds what it accepted.`,
      drifted: (key: string) =>
        `${key}: the platform holds something else than it accepted. Send it again to put that right.`,
      missing: (key: string) => `${key}: the platform does not have it. Send it again to put that right.`,
      notLive: (key: string) => `${key}: the platform does not show it as live. See below.`,
      unanswered: (key: string) =>
        `${key}: the platform gave no usable answer in time, or the record changed meanwhile. Try again later.`,
      nothing: (key: string) =>
        `${key} cannot be compared: the platform has not accepted what is desired, or it changed meanwhile.`,
    },
    resyncSelected: (count: string, entity: string) =>
      count === '1'
        ? `One record of ${entity} is read again and sent.`
        : `${count} records of ${entity} are read again and sent.`,
    checked: (count: string, entity: string) =>
      count === '1'
        ? `One record of ${entity} is checked again.`
        : `${count} records of ${entity} are checked again.`,
    noneSelected: 'Nothing was changed. Select records, then press a button of the bar.',
    underWay: 'This is still running. Load the page again later.',
  },
};

/** Title of an entity; its name, if only another version of the program knows it. */
export function entityTitle(name: string, language: 'en' | 'id'): string {
  return ENTITIES.find((each) => each.name === name)?.titles[language] ?? name;
}

/** The same keys with text of any language: a missing or an unknown key does not compile. */
export type Translated<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends (...args: infer Args) => string
      ? (...args: Args) => string
      : Translated<T[Key]>;
};

export type Texts = Translated<typeof ENGLISH>;
