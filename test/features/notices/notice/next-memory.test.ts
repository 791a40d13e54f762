import { describe, expect, it } from 'vitest';
import {
  type MemoryState,
  nextMemory,
  NOTHING_TOLD,
  type NoticeMemory,
  type Observation,
} from '../../../../src/features/notices/next-memory.js';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const at = (minute: number) => new Date(T0 + minute * MINUTE);

const WORDS = { reason: 'why', help: 'do', cause: 'a guard', size: 10 };
const HELD: Observation['found'] = { since: at(-5), afterMs: 0, ...WORDS };
const NEVER: Observation['found'] = { since: null, afterMs: 60 * MINUTE, ...WORDS };

/** What stands in the steps for what is found. */
const FOUND: Readonly<Record<string, Observation['found']>> = {
  held: HELD,
  more: { ...HELD, size: 29 },
  many: { ...HELD, size: 30 },
  other: { ...HELD, cause: 'another guard' },
  down: { ...HELD, since: null, afterMs: 5 * MINUTE, cause: 'outage' },
  never: NEVER,
  fine: null,
  before59: { ...NEVER, since: at(-59) },
  since2: { ...NEVER, since: at(2) },
};

/**
 * What the receiver would get when the subject is found so at these minutes, such as `0 held, 10 fine`, and every message is
 * delivered at once.
 */
function told(
  steps: string,
  options: {
    notifiesRecovery?: boolean;
    delivers?: boolean | 'cut off';
    trouble?: Observation['trouble'];
  } = {},
): { messages: string[]; state: MemoryState | null } {
  let memory: NoticeMemory | null = null;
  let ids = 0;
  const messages: string[] = [];
  for (const step of steps.split(', ')) {
    const [minute = '', word = ''] = step.split(' ');
    const found = FOUND[word] ?? null;
    const now = at(Number(minute));
    memory = nextMemory(
      memory,
      'url',
      { trouble: options.trouble ?? 'held', subject: 'companies', found },
      {
        now,
        notifiesRecovery: options.notifiesRecovery ?? true,
        newId: () => String((ids += 1)),
      },
    );
    const due =
      memory && (memory.state === 'ended' || (memory.state === 'begun' && (memory.quietUntil ?? now) <= now));
    if (!memory || !due) continue;
    if (options.delivers === false) continue;
    if (options.delivers === 'cut off') {
      memory = { ...memory, inDoubt: true };
      continue;
    }
    messages.push(`${minute} ${memory.state}`);
    // As the store notes it.
    memory = {
      ...memory,
      state: memory.state === 'begun' ? 'told' : 'quiet',
      quietUntil: null,
      changedAt: now,
    };
  }
  return { messages, state: memory?.state ?? null };
}

describe('what is told', () => {
  it.each<[string, string, string[], MemoryState | null]>([
    ['nothing while nothing is wrong', '0 fine, 1 fine', [], null],
    ['a trouble once, however long it lasts', '0 held, 1 held, 900 held', ['0 begun'], 'told'],
    ['its end once', '0 held, 10 fine, 11 fine', ['0 begun', '10 ended'], 'quiet'],
    ['nothing more after two hours', '0 held, 10 fine, 121 fine', ['0 begun', '10 ended'], null],
    ['the same again after an hour', '0 held, 10 fine, 71 held', ['0 begun', '10 ended', '71 begun'], 'told'],
    [
      'the same again at once after its end was told',
      '0 held, 10 fine, 20 held, 30 fine',
      ['0 begun', '10 ended', '20 begun', '30 ended'],
      'quiet',
    ],
    [
      'the same a third time only when an hour is over, if it lasts',
      '0 held, 10 fine, 20 held, 30 fine, 40 held, 79 held, 81 held',
      ['0 begun', '10 ended', '20 begun', '30 ended', '81 begun'],
      'told',
    ],
    [
      'nothing of a third time that is over before the hour is, and the next waits as long',
      '0 held, 1 fine, 2 held, 3 fine, 4 held, 5 fine, 6 held, 61 held, 63 held',
      ['0 begun', '1 ended', '2 begun', '3 ended', '63 begun'],
      'told',
    ],
    [
      'another cause at once, within the hour and while the first one lasts',
      '0 held, 1 fine, 2 held, 3 fine, 4 other, 5 held, 6 fine',
      ['0 begun', '1 ended', '2 begun', '3 ended', '4 begun', '6 ended'],
      'quiet',
    ],
    [
      'the end of a trouble although its cause changed back in quiet',
      '0 held, 1 other, 2 held, 3 other, 4 held, 5 other, 6 fine',
      ['0 begun', '1 begun', '2 begun', '3 begun', '6 ended'],
      'quiet',
    ],
    [
      'a much larger one at once, and a larger one not',
      '0 held, 1 more, 2 many, 3 many, 4 fine',
      ['0 begun', '2 begun', '4 ended'],
      'quiet',
    ],
    [
      'a much larger one within the hour',
      '0 held, 1 fine, 2 held, 3 fine, 4 held, 5 many',
      ['0 begun', '1 ended', '2 begun', '3 ended', '5 begun'],
      'told',
    ],
    [
      'an outage after its five minutes, although another cause ended within the hour',
      '0 held, 1 fine, 2 held, 3 fine, 10 down, 14 down, 15 down',
      ['0 begun', '1 ended', '2 begun', '3 ended', '15 begun'],
      'told',
    ],
    [
      'two messages an hour when it goes to and fro every minute',
      Array.from({ length: 240 }, (_, minute) => `${minute} ${minute % 2 === 0 ? 'held' : 'fine'}`).join(
        ', ',
      ),
      ['0 begun', '1 ended', ...[2, 62, 122, 182].flatMap((at) => [`${at} begun`, `${at + 1} ended`])],
      'quiet',
    ],
    [
      'no flood when size and cause go to and fro every minute',
      Array.from({ length: 120 }, (_, minute) => `${minute} ${['held', 'other', 'many'][minute % 3]}`).join(
        ', ',
      ),
      ['0 begun', '1 begun', '2 begun', '4 begun', '62 begun', '64 begun'],
      'told',
    ],
    ['nothing of what has not lasted long enough', '0 never, 59 never', [], 'watched'],
    ['what has lasted since it was first looked at', '0 never, 60 never', ['60 begun'], 'told'],
    ['nothing of what ended before it had lasted long enough', '0 never, 59 fine', [], null],
    ['staleness by the last success', '0 before59, 1 before59, 2 since2', ['1 begun', '2 ended'], 'quiet'],
  ])('is %s', (_, steps, messages, state) => {
    expect(told(steps)).toEqual({ messages, state });
  });

  it('is no end when nobody wants to hear of it, and the trouble is quiet for an hour all the same', () => {
    const { messages } = told('0 held, 1 fine, 2 held, 3 fine, 4 held, 61 held, 62 held', {
      notifiesRecovery: false,
    });
    expect(messages).toEqual(['0 begun', '2 begun', '62 begun']);
  });

  it('is a refused webhook after five minutes, however often it comes', () => {
    const { messages } = told('0 held, 1 fine, 2 held, 3 fine, 4 held, 7 held, 8 fine', {
      trouble: 'webhook-refused',
    });
    expect(messages).toEqual(['0 begun', '1 ended', '2 begun', '3 ended', '7 begun', '8 ended']);
  });

  it('is nothing of a trouble that ended before its message was delivered', () => {
    expect(told('0 held, 1 fine', { delivers: false }).state).toBe(null);
  });

  it('is the end of a trouble whose message was cut off, because the receiver may have it', () => {
    expect(told('0 held, 1 fine', { delivers: 'cut off' }).state).toBe('ended');
  });

  it('is nothing when a trouble comes back before its end was told', () => {
    const memory = { ...first(HELD), state: 'ended' as const };
    expect(next(memory, HELD)?.state).toBe('told');
    expect(next({ ...memory, inDoubt: true }, HELD)?.state, 'its end may have been heard').toBe('begun');
  });

  it('is the end of a trouble whose other cause was never delivered, because the receiver has the first', () => {
    const other = next({ ...first(HELD), state: 'told' }, { ...HELD, cause: 'another guard' });
    expect(other).toMatchObject({ state: 'begun', about: { cause: 'another guard', heard: true } });
    expect(next(other, null)?.state).toBe('ended');
    expect(next(other && { ...other, state: 'unheard' }, null)?.state).toBe('ended');
  });

  it('is nothing of a cause that an earlier version told without its name', () => {
    const memory = { ...first(HELD), state: 'told' as const, about: NOTHING_TOLD };
    expect(next(memory, HELD)).toEqual({ ...memory, about: { ...NOTHING_TOLD, cause: 'a guard', size: 10 } });
  });

  it('is no end of a trouble that was never heard of', () => {
    const memory = { ...first(HELD), state: 'unheard' as const };
    expect(next(memory, HELD)).toBe(memory);
    expect(next(memory, null)).toBe(null);
  });
});

it('keeps reason, help and beginning of a trouble as they were found first', () => {
  const begun = first(HELD);
  expect(begun).toMatchObject({ state: 'begun', since: at(-5), reason: 'why', help: 'do', noticeId: 'id' });
  expect(next(begun, { ...HELD, reason: 'another', since: at(0) })).toBe(begun);
});

function first(found: Observation['found']): NoticeMemory {
  const memory = next(null, found);
  if (memory === null) throw new Error('nothing is remembered');
  return memory;
}

function next(memory: NoticeMemory | null, found: Observation['found']): NoticeMemory | null {
  const finding: Observation = { trouble: 'held', subject: 'companies', found };
  return nextMemory(memory, 'smtp', finding, { now: at(0), notifiesRecovery: true, newId: () => 'id' });
}
