import type { Answer } from '../reply/reply.js';
import type { ProbeRules } from './probe-seen.js';

type Meaning = ProbeRules['judge'][number]['as'];

/** What `platform.replies.judge` makes of a reply; null: no row of it fits. */
export function configuredMeaning(
  { status, json }: Answer,
  { judge }: Pick<ProbeRules, 'judge'>,
): Meaning | null {
  const text = json === undefined ? '' : JSON.stringify(json);
  const fits = judge.find(
    (row) => row.status === status && (row.match === undefined || text.includes(row.match)),
  );
  return fits?.as ?? null;
}
