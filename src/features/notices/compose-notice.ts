import { AREAS } from '../../core/domain/names.js';
import type { Notice, NoticeMemory, Observation } from './next-memory.js';
import type { NotifiedTrouble } from '../../core/domain/notice.js';
import { oneLine } from '../../core/domain/reply/reply.js';
import type { Words } from '../troubles/consequences.js';
import { describeTrouble, PLAIN_WORDS, TROUBLE_TEXTS } from '../troubles/describe-trouble.js';
import { possibleTroubles } from '../../core/domain/trouble/find-troubles.js';
import { hintCommands, triesAgain } from '../troubles/hints.js';
import {
  isMass,
  isUnreachable,
  type Trouble,
  type TroubleFacts,
  type TroubleKind,
  type TroubleSubject,
} from '../../core/domain/trouble/trouble.js';

const { lasts: LASTS, over: IS_OVER } = TROUBLE_TEXTS.en;

/**
 * The message that a memory in state `begun` or `ended` asks for. `worker`: the process that sends it; `when`: how its text
 * gives times, whose fields are UTC.
 */
export function composeNotice(memory: NoticeMemory, worker: string, when = PLAIN_WORDS.when): Notice {
  const { trouble, noticeId, since, changedAt, reason, help } = memory;
  const over = memory.state === 'ended';
  const began = since.toISOString();
  return withText({
    id: noticeId,
    notice: over ? 'recovered' : trouble,
    was: over ? trouble : null,
    subject: subjectOf(memory.subject),
    since: began,
    at: changedAt.toISOString(),
    reason: over ? `It ${IS_OVER[trouble]}; the trouble began ${when(since)}.` : oneLine(reason),
    help: over ? null : oneLine(help),
    worker: oneLine(worker),
  });
}

/** The message of `notify test`. */
export function testNotice(id: string, at: Date, worker: string): Notice {
  return withText({
    id,
    notice: 'test',
    was: null,
    subject: null,
    since: null,
    at: at.toISOString(),
    reason: 'This is a test; nothing has happened.',
    help: null,
    worker: oneLine(worker),
  });
}

/** The subject line of a mail and the begin of the text: fixed words and names only. */
export function noticeTitle({ notice, was, subject }: Pick<Notice, 'notice' | 'was' | 'subject'>): string {
  if (notice === 'test') return 'placement-sync: test of notices';
  const name =
    subject === null ? 'the webhook' : 'entity' in subject ? subject.entity : `area ${subject.area}`;
  const words = notice === 'recovered' ? IS_OVER[was ?? 'stale'] : LASTS[notice];
  return `placement-sync: ${name} ${words}`;
}

function withText(notice: Omit<Notice, 'text'>): Notice {
  const { worker, ...rest } = notice;
  const parts = [`${noticeTitle(notice)}.`, notice.reason, notice.help];
  return { ...rest, text: parts.filter((part) => part !== null).join(' '), worker };
}

/** How the memory names the subject of `webhook-refused`; no entity and no area has this name. */
const WEBHOOK = 'webhook';

function subjectOf(name: string): TroubleSubject | null {
  if (name === WEBHOOK) return null;
  const area = AREAS.find((known) => known === name);
  return area === undefined ? { entity: name } : { area };
}

/** The kinds behind each notice; an entity with two of them is notified once, of both. */
const NOTIFIED = {
  held: ['push-held', 'held'],
  stale: ['stale'],
  'auth-refused': ['auth-refused'],
  'webhook-refused': ['webhook-refused'],
  'taken-down': ['taken-down'],
  'area-stopped': ['area-stopped'],
  failed: ['failed'],
  rejected: ['rejected'],
  invalid: ['invalid'],
  waiting: ['blocked'],
} as const satisfies Readonly<Record<NotifiedTrouble, readonly TroubleKind[]>>;

/**
 * What the list of troubles says about every notified kind and subject, also that there is none. Areas: those from
 * which this process has seen replies. Pure; without keys, and without text of the platform or a database.
 */
export function observe(facts: TroubleFacts, when = PLAIN_WORDS.when): Observation[] {
  const troubles = possibleTroubles(facts);
  const about = (trouble: NotifiedTrouble, subject: Observation['subject']): Observation => {
    const all = NOTIFIED[trouble]
      .flatMap((kind) => troubles.find((one) => one.kind === kind && isAbout(one, subject)) ?? [])
      .filter(isNotified);
    const [first, ...others] = all.map((one) => notified(one, when));
    if (first === undefined) return { trouble, subject, found: null };
    const joined = (of: 'cause' | 'reason') => [first, ...others].map((one) => one[of]).join(' ');
    return { trouble, subject, found: { ...first, cause: joined('cause'), reason: joined('reason') } };
  };
  return [
    ...facts.entities.flatMap(({ name, rejections, unsendable }) => [
      about('held', name),
      about('stale', name),
      about('taken-down', name),
      // A run of other entities says nothing about this one.
      ...(facts.run === null || facts.run.entities[name] ? [about('failed', name)] : []),
      ...(rejections === undefined ? [] : [about('rejected', name)]),
      ...(unsendable === undefined ? [] : [about('invalid', name), about('waiting', name)]),
    ]),
    ...facts.areas.flatMap(({ area, credentials, stop }) => [
      ...(credentials === 'unknown' ? [] : [about('auth-refused', area)]),
      ...(credentials === 'unknown' && stop === null ? [] : [about('area-stopped', area)]),
    ]),
    ...(facts.refusedWebhooks === undefined ? [] : [about('webhook-refused', WEBHOOK)]),
  ];
}

/** Single records are for `status`; a mass of them is for a notice, unless it waits for parents that are notified. */
function isNotified(trouble: Trouble): boolean {
  if (trouble.kind === 'blocked' && trouble.parentKeptBack) return false;
  const of = trouble.kind === 'rejected' ? trouble.share?.of : 'of' in trouble ? trouble.of : undefined;
  return of === undefined || isMass(trouble.count ?? 0, of);
}

/** An outage that is shorter than this is none that anybody needs to hear of, milliseconds. */
const OUTAGE_MS = 5 * 60_000;

/** How long a trouble must last to be notified, milliseconds. */
function afterMs(trouble: Trouble): number {
  if (trouble.kind === 'stale') return trouble.afterMs;
  const mayPass = (trouble.kind === 'area-stopped' && trouble.cause === 'page') || isUnreachable(trouble);
  return mayPass ? OUTAGE_MS : 0;
}

function isAbout({ subject }: Trouble, name: Observation['subject']): boolean {
  return (subject === null ? WEBHOOK : 'area' in subject ? subject.area : subject.entity) === name;
}

/** The hint of a redirect names the host that the platform sent; a hold may name a company. */
function withoutForeign(trouble: Trouble): Trouble {
  if (trouble.kind === 'held' && trouble.whose)
    return { ...trouble, whose: { ...trouble.whose, most: { ...trouble.whose.most, name: null } } };
  if (trouble.kind === 'area-stopped' && trouble.code === 'redirected') return { ...trouble, hint: null };
  if (trouble.kind === 'stale' && trouble.stop?.code === 'redirected')
    return { ...trouble, stop: { ...trouble.stop, hint: null } };
  return trouble;
}

/** The name of its cause. An outage shows as now this, now that. */
function causeOf(trouble: Trouble): string {
  if (trouble.kind === 'area-stopped' && afterMs(trouble) > 0) return 'outage';
  if (trouble.kind === 'webhook-refused') return trouble.reason;
  const named = 'guard' in trouble ? trouble.guard : 'code' in trouble ? trouble.code : '';
  const source = trouble.kind === 'held' ? trouble.counts.source : undefined;
  return [named, source, 'cause' in trouble ? trouble.cause : null].filter(Boolean).join(' ');
}

function notified(trouble: Trouble, when: Words['when']): NonNullable<Observation['found']> {
  const { sentence, hint } = describeTrouble(withoutForeign(trouble), 'en', { ...PLAIN_WORDS, when });
  const commands = hintCommands(trouble, 'KEY').map((words) => ['placement-sync', ...words].join(' '));
  return {
    // An area's time is by the clock of the process, the memory's by the database: count from the look.
    since: trouble.subject && 'area' in trouble.subject ? null : trouble.since,
    began: trouble.since,
    afterMs: afterMs(trouble),
    cause: causeOf(trouble),
    size: trouble.subject && 'entity' in trouble.subject ? trouble.count : null,
    reason: sentence,
    help: [
      hint,
      ...(commands.length > 0 ? [`${triesAgain(trouble, null) ?? 'Commands:'} ${commands.join(' · ')}`] : []),
    ].join(' '),
  };
}
