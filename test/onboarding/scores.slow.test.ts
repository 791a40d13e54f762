import { describe, expect, it } from 'vitest';
import { JUDGED, type Score, scoreDraft, scoreTable } from './score-draft.js';

describe('a draft from an unknown database', () => {
  const scores = new Map<string, Score>();

  it.each(JUDGED)('of %s', async (name) => {
    const score = await scoreDraft(name);
    scores.set(name, score);
    if (process.env.SCORES) console.log(name, JSON.stringify(score, null, 1));
  });

  it('is right', () => {
    console.log(scoreTable(scores));
  });
});
