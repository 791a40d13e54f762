import { AREAS } from '../area.js';
import { oneLine } from '../reply/one-line.js';
import type { NoticeMemory } from './next-memory.js';
import { TROUBLE_TEXTS } from '../trouble/text/trouble-texts.js';
import type { TroubleSubject } from '../trouble/trouble.js';
import type { Notice } from './notice.js';

const { lasts: LASTS, over: IS_OVER } = TROUBLE_TEXTS.en;

/** The message that a memory in state `begun` or `ended` asks for. `worker`: the process that sends it. Pure. */
export function composeNotice(memory: NoticeMemory, worker: string): Notice {
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
    reason: over ? `It ${IS_OVER[trouble]}; the trouble had lasted since ${began}.` : oneLine(reason),
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
  if (subject === null || notice === 'test') return 'placement-sync: test of notices';
  const name = 'entity' in subject ? subject.entity : `area ${subject.area}`;
  const words = notice === 'recovered' ? IS_OVER[was ?? 'stale'] : LASTS[notice];
  return `placement-sync: ${name} ${words}`;
}

function withText(notice: Omit<Notice, 'text'>): Notice {
  const { worker, ...rest } = notice;
  const parts = [`${noticeTitle(notice)}.`, notice.reason, notice.help];
  return { ...rest, text: parts.filter((part) => part !== null).join(' '), worker };
}

function subjectOf(name: string): TroubleSubject {
  const area = AREAS.find((known) => known === name);
  return area === undefined ? { entity: name } : { area };
}
