import type { JudgeContext } from './reply-rules.js';

/**
 * The setting to look at when a refusal may be about the way of asking, not about the record; null: none. A Put creates
 * what does not exist, so a 404 to it may be about the path.
 */
export function settingOfRefusal(status: number, method: JudgeContext['method']): string | null {
  if (status === 405 || status === 501)
    return 'if the platform has another method, set it in platform.operations';
  if (status === 404 && method === 'PUT')
    return 'if every record is answered like this, the platform may have another path, see platform.operations';
  if (status === 406) return 'if the platform needs another Accept, set it in platform.headers';
  return null;
}
