import type { JudgeContext } from './reply-rules.js';

/** Words of a refusal that may be about the signature or the credentials. */
const AUTHENTICATION = /signature|timestamp|client[-_ ]?id|unauthori[sz]ed|unauthenticated|credential/i;

/** What the operator does once the setting is changed: what was refused stays refused. */
const RETRY = 'then `placement-sync retry`';

/**
 * The setting to look at when a refusal may be about the way of asking, not about the record; null: none. A Put creates
 * what does not exist, so a 404 to it may be about the path. `words`: those of the platform.
 */
export function settingOfRefusal(
  status: number,
  { method, operation }: Pick<JudgeContext, 'method' | 'operation'>,
  words: string,
): string | null {
  const at = `platform.operations${operation === undefined ? '' : `.${operation}`}`;
  if (status === 405 || status === 501)
    return `if the platform has another method, set it in ${at}, ${RETRY}`;
  if (status === 404 && method === 'PUT')
    return `if every record is answered like this, the platform may have another path: set it in ${at}, ${RETRY}`;
  if (status === 406) return `if the platform needs another Accept, set it in platform.headers, ${RETRY}`;
  if (method === 'GET') return null;
  if (AUTHENTICATION.test(words))
    return `if every record is answered like this, a rule makes it stop the area: platform.replies.judge: [{ status: ${status}, match: TEXT, as: authentication-refused }], ${RETRY}; platform.signature says how requests are signed`;
  if (/\bnull\b/i.test(words))
    return `if the platform takes no null: \`absent: { COLUMN: omit }\` of the entity leaves the field out, ${RETRY}`;
  return null;
}
