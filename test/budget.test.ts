import { expect, it } from 'vitest';
import { budget, measure, OWN_LINES } from './budget.js';

const measured = measure();
const kept = budget();

it('has no room above its budget', () => {
  const above = Object.entries(measured.rooms).flatMap(([room, { lines, tokens }]) => {
    const most = kept.rooms[room];
    if (most === undefined) return [`${room}: test/budget.json does not know it`];
    return lines <= most.lines && tokens <= most.tokens
      ? []
      : [
          `${room}: ${lines} lines, ${tokens} tokens; at most ${most.lines}, ${most.tokens}. Take something out first.`,
        ];
  });
  expect(above).toEqual([]);
});

it('has no room in its budget that is gone', () => {
  expect(Object.keys(kept.rooms).filter((room) => !(room in measured.rooms))).toEqual([]);
});

it(`has no function of more than ${OWN_LINES} lines of its own, and none with nameless state, but the named ones`, () => {
  expect(measured.long, 'divide it by what its parts are for').toEqual(kept.long);
  expect(measured.nameless, 'make it an object whose fields say what they hold').toEqual(kept.nameless);
});

it('loads no more for a run than the budget says', () => {
  expect(measured.runLoads).toBeLessThanOrEqual(kept.runLoads);
});
