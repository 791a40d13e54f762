import { describe, expect, it } from 'vitest';
import { JUDGED, type Score, scoreDraft, scoreTable } from './score-draft.js';

/** Prints its table: `npx vitest run --mode full --project left test/features/init/scores.slow.test.ts` */
describe('a draft from an unknown database', () => {
  const scores = new Map<string, Score>();

  it.each(JUDGED)(
    'of %s has no wrong line, no idle condition, is a configuration, and a second run sends nothing',
    async (name) => {
      const score = await scoreDraft(name);
      scores.set(name, score);
      expect(score).toMatchObject({ wrong: [], idle: [], unoffered: [], checked: true, again: 0 });
    },
  );

  it('has most of the columns that an engineer would take', () => {
    process.stdout.write(`${scoreTable(scores)}\n`);
    const all = [...scores.values()];
    const right = all.reduce((sum, score) => sum + score.right, 0);
    const missed = all.reduce((sum, score) => sum + score.missed.length, 0);
    expect(right / (right + missed)).toBeGreaterThan(0.85);
  });
});
