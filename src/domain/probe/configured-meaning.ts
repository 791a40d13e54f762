import { fitsJudgement } from '../reply/fits-judgement.js';
import type { Answer } from '../reply/reply.js';
import type { ProbeRules } from './probe-seen.js';

type Meaning = ProbeRules['judge'][number]['as'];

/** What `platform.replies.judge` makes of a reply; null: no row of it fits. */
export function configuredMeaning(answer: Answer, { judge }: Pick<ProbeRules, 'judge'>): Meaning | null {
  return judge.find((row) => fitsJudgement(row, answer))?.as ?? null;
}
