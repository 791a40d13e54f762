import type { Answer } from '../reply/reply.js';
import type { ProbeRules } from './probe-seen.js';

type Meaning = ProbeRules['judge'][number]['as'];

/** What `platform.replies.judge` makes of a reply; null: no row of it fits. */
export function configuredMeaning(
  { status, json, text: body = '' }: Answer,
  { judge }: Pick<ProbeRules, 'judge'>,
): Meaning | null {
  const text = `${body}\n${json === undefined ? '' : JSON.stringify(json)}`.toLowerCase();
  const fits = judge.find(
    (row) => row.status === status && (row.match === undefined || text.includes(row.match.toLowerCase())),
  );
  return fits?.as ?? null;
}
