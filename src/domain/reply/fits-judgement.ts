import type { ConfiguredJudgement } from './reply-settings.js';
import type { Answer } from './reply.js';

/**
 * Whether a row of `platform.replies.judge` is about a reply. `match` fits in any case, in the body as it came or as JSON
 * without blanks and escapes: whoever wrote the row saw one of them. Pure.
 */
export function fitsJudgement(
  { status, match }: Pick<ConfiguredJudgement, 'status' | 'match'>,
  answer: Pick<Answer, 'status' | 'text' | 'json'>,
): boolean {
  if (answer.status !== status) return false;
  const { text = '', json } = answer;
  return match === undefined || `${text}\n${compact(json)}`.toLowerCase().includes(match.toLowerCase());
}

function compact(json: unknown): string {
  try {
    return JSON.stringify(json) ?? '';
  } catch {
    // Nested too deeply: no reply of the platform.
    return '';
  }
}
