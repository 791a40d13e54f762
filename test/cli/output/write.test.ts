import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { progressText, trackWork } from '../../../src/cli/output/progress.js';
import { moreText, wrapText } from '../../../src/cli/output/write.js';
import { fitFrame } from '../../../src/cli/watch.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';

describe('more text', () => {
  test('a list says how many it leaves out', () => {
    expect(moreText(1_845)).toBe('… 1,845 more');
    expect(moreText(1, 'line')).toBe('… one more line');
    expect(moreText(2, 'line')).toBe('… 2 more lines');
  });
});

describe('wrap text', () => {
  test.each([
    ['a bb ccc', 80, 'a bb ccc'],
    ['  aaa bbb ccc', 9, '  aaa bbb\n    ccc'],
    ['short\nlonger line', 6, 'short\nlonger\n  line'],
    [
      '  key 5a4af172-1464-4d7f-b40e-a1088e678ed7 end',
      12,
      '  key\n    5a4af172-1464-4d7f-b40e-a1088e678ed7\n    end',
    ],
  ])('%j at %i columns', (text, width, wrapped) => {
    expect(wrapText(text, width)).toBe(wrapped);
  });

  test('in a pipe nothing is broken', () => {
    expect(wrapText('x '.repeat(500), undefined)).toBe('x '.repeat(500));
  });

  test('no word is lost or divided, and a line is too wide only for a single word', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 60 }), (given, width) => {
        const lines = wrapText(given.join(' '), width).split('\n');
        expect(lines.flatMap((line) => line.trim().split(' '))).toEqual(given);
        for (const line of lines)
          if (line.length > width) expect(line.trim().split(' '), line).toHaveLength(1);
      }),
    );
  });
});

describe('progress text', () => {
  const SENDING = { name: 'Sending', done: 1_500, total: 6_000, began: 0 };

  test.each([
    [80, 'Sending ██████░░░░░░░░░░░░░░░░░░ 1,500/6,000 · 50/s · 2 min left'],
    [50, 'Sending ██░░░░░░░ 1,500/6,000 · 50/s · 2 min left'],
    [45, 'Sending 1,500/6,000 · 50/s · 2 min left'],
    [30, 'Sending 1,500/6,000'],
    [12, 'Sending 1,…'],
  ])('fits %i columns', (width, text) => {
    expect(progressText(SENDING, 30_000, width)).toBe(text);
    expect(text.length).toBeLessThan(width);
  });

  test('without a total it says how much and for how long', () => {
    expect(progressText({ name: 'Reading vacancies', done: 90_000, total: null, began: 0 }, 3_000, 80)).toBe(
      'Reading vacancies 90,000 · 30,000/s · 3 s',
    );
    expect(progressText({ name: 'Migrating', done: 0, total: null, began: 0 }, 61_000, 80)).toBe(
      'Migrating · 1 min',
    );
  });

  test('before the first reply it promises no end', () => {
    expect(progressText({ ...SENDING, done: 0 }, 4_000, 80)).toMatch(/0\/6,000 · 4 s$/);
  });

  test('is never as wide as the terminal, so that nothing wraps', () => {
    for (let width = 1; width < 120; width += 1)
      expect(progressText(SENDING, 30_000, width).length).toBeLessThan(Math.max(width, 2));
  });
});

describe('track work', () => {
  const SENT: SyncEvent = {
    type: 'record-sent',
    area: 'jobs',
    entity: 'companies',
    key: 'c1',
    outcome: 'accepted',
    statusCode: 200,
    message: null,
  };

  function after(...events: SyncEvent[]) {
    const tracker = trackWork(() => 0);
    events.forEach((event) => tracker.apply(event));
    const work = tracker.current();
    return work && `${work.name} ${work.done}/${work.total ?? '?'}`;
  }

  test('a sweep counts rows, and applying what it found comes before it', () => {
    const reading: SyncEvent[] = [
      { type: 'sweep-started', entity: 'vacancies', full: true, why: 'first' },
      { type: 'sweep-progress', entity: 'vacancies', read: 400 },
    ];
    const work = 'Applying changes of vacancies';
    const applying: SyncEvent[] = [
      { type: 'work-started', work, total: 900 },
      { type: 'work-advanced', work, done: 300 },
    ];
    expect(after(...reading)).toBe('Reading vacancies 400/?');
    expect(after(...reading, ...applying)).toBe(`${work} 300/900`);
    expect(after(...reading, ...applying, { type: 'work-ended', work })).toBe('Reading vacancies 400/?');
  });

  test('areas that are sent side by side share one count, which ends with the last of them', () => {
    const begun: SyncEvent[] = [
      { type: 'push-started', area: 'jobs', due: 2 },
      SENT,
      { type: 'push-started', area: 'training', due: 3 },
      SENT,
    ];
    expect(after(...begun)).toBe('Sending 2/5');
    expect(after(...begun, { ...SENT, outcome: 'handed-back' }), 'it is sent later').toBe('Sending 2/5');
    expect(after(...begun, { type: 'push-finished', area: 'jobs', entities: {} }, SENT)).toBe('Sending 3/5');
    expect(
      after(
        ...begun,
        { type: 'push-finished', area: 'jobs', entities: {} },
        { type: 'push-finished', area: 'training', entities: {} },
      ),
    ).toBeNull();
  });

  test('an area with nothing to send shows nothing, and more than was due makes the total grow', () => {
    expect(after({ type: 'push-started', area: 'jobs', due: 0 })).toBeNull();
    expect(after({ type: 'push-started', area: 'jobs', due: 1 }, SENT, SENT)).toBe('Sending 2/2');
  });

  test('the end of a run ends all, also what never said that it ended', () => {
    expect(
      after(
        { type: 'push-started', area: 'jobs', due: 5 },
        { type: 'run-failed', code: 'lease-lost', message: 'lost', hint: undefined },
      ),
    ).toBeNull();
  });
});

describe('fit frame', () => {
  test.each([
    ['a\nb\n', 3, 'a\nb\n'],
    ['a\nb\nc\n', 3, 'a\n… 2 more lines need a taller window.\n'],
    ['a\nb\nc\n', undefined, 'a\nb\nc\n'],
    ['a\nb\nc\n', 0, 'a\nb\nc\n'],
  ])('%j on a screen of %s rows is %j', (text, rows, shown) => {
    expect(fitFrame(text, rows)).toBe(shown);
  });
});
