import { describe, expect, it } from 'vitest';
import {
  type MemoryState,
  nextMemory,
  type NoticeMemory,
  type Observation,
} from '../../../src/domain/notice.js';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const at = (minute: number) => new Date(T0 + minute * MINUTE);

const HELD: Observation['found'] = { since: at(-5), afterMs: 0, reason: 'why', help: 'do' };
const NEVER: Observation['found'] = { since: null, afterMs: 60 * MINUTE, reason: 'why', help: 'do' };

/** What stands in the steps for what is found. */
const FOUND: Readonly<Record<string, Observation['found']>> = {
  held: HELD,
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
  options: { notifiesRecovery?: boolean; delivers?: boolean | 'cut off' } = {},
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
      { trouble: 'held', subject: 'companies', found },
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
    memory =
      memory.state === 'begun'
        ? { ...memory, state: 'told', quietUntil: null }
        : { ...memory, state: 'quiet', quietUntil: at(Number(minute) + 60) };
  }
  return { messages, state: memory?.state ?? null };
}

describe('what is told', () => {
  it.each<[string, string, string[], MemoryState | null]>([
    ['nothing while nothing is wrong', '0 fine, 1 fine', [], null],
    ['a trouble once, however long it lasts', '0 held, 1 held, 900 held', ['0 begun'], 'told'],
    ['its end once', '0 held, 10 fine, 11 fine', ['0 begun', '10 ended'], 'quiet'],
    ['nothing more after an hour', '0 held, 10 fine, 71 fine', ['0 begun', '10 ended'], null],
    ['the same again after an hour', '0 held, 10 fine, 71 held', ['0 begun', '10 ended', '71 begun'], 'told'],
    [
      'the same within the hour only when the hour is over',
      '0 held, 10 fine, 20 held, 69 held, 71 held',
      ['0 begun', '10 ended', '71 begun'],
      'told',
    ],
    [
      'two messages an hour when it goes to and fro every minute',
      Array.from({ length: 240 }, (_, minute) => `${minute} ${minute % 2 === 0 ? 'held' : 'fine'}`).join(
        ', ',
      ),
      ['0 begun', '1 ended', '62 begun', '63 ended', '124 begun', '125 ended', '186 begun', '187 ended'],
      'quiet',
    ],
    ['nothing of what has not lasted long enough', '0 never, 59 never', [], 'watched'],
    ['what has lasted since it was first looked at', '0 never, 60 never', ['60 begun'], 'told'],
    ['nothing of what ended before it had lasted long enough', '0 never, 59 fine', [], null],
    ['staleness by the last success', '0 before59, 1 before59, 2 since2', ['1 begun', '2 ended'], 'quiet'],
  ])('is %s', (_, steps, messages, state) => {
    expect(told(steps)).toEqual({ messages, state });
  });

  it('is no end when nobody wants to hear of it, and the trouble is quiet for an hour all the same', () => {
    const { messages } = told('0 held, 1 fine, 2 held, 62 held', { notifiesRecovery: false });
    expect(messages).toEqual(['0 begun', '62 begun']);
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
