import type { CheckedAssumption, CheckId } from './checks.js';

/**
 * Where a platform differs and an adapter bears it: the function to write, and lines to begin with, by check. A test plays
 * each against a platform that differs so.
 */

type AdapterFunction = 'request' | 'reply';

/** The module to begin with, where an adapter can bear what a check found; null: none does. */
export function adapterToBegin({ id, setting }: Pick<CheckedAssumption, 'id' | 'setting'>): string | null {
  const name = /platform\.adapter: (request|reply)/.exec(setting)?.[1] as AdapterFunction | undefined;
  const lines = name && BEGINNINGS[id]?.[name];
  return lines ? ['export default {', ...lines.map((line) => `  ${line}`), '};'].join('\n') : null;
}

/** Of a reply to a Put with success; `reference`: where this platform has it. */
const referenceAt = (reference: string) => [
  'reply({ status, json }, { operation }) {',
  "  if (!operation.startsWith('put') || status !== 200) return undefined;",
  `  return { accepted: { id: json.data.id, reference: ${reference} } };`,
  '},',
];

const BEGINNINGS: Partial<Record<CheckId, Partial<Record<AdapterFunction, readonly string[]>>>> = {
  'wrong-signature': {
    request: [
      'request(request, { secret, hmac }) {',
      "  const signed = `${request.method} ${request.path} ${request.headers['Request-Timestamp']}`;",
      "  const signature = Buffer.from(hmac('sha512', secret, signed)).toString('hex');",
      '  return { ...request, headers: { ...request.headers, Signature: signature } };',
      '},',
    ],
    reply: [
      'reply({ status, json }) {',
      "  if (status !== 400 || json?.code !== 'INVALID_SIGNATURE') return undefined;",
      "  return { stop: { message: 'The platform refuses the signature' } };",
      '},',
    ],
  },
  'unknown-id': {
    reply: [
      'reply({ status }, { operation }) {',
      "  if (operation.startsWith('find') && status === 400) return { missing: true };",
      '  return undefined;',
      '},',
    ],
  },
  'put-status': {
    request: [
      'request(request, { digest }) {',
      '  if (request.body === null) return request;',
      "  const sum = Buffer.from(digest('sha256', request.body)).toString('base64');",
      "  return { ...request, headers: { ...request.headers, 'Content-Digest': `sha-256=:${sum}:` } };",
      '},',
    ],
    reply: [
      'reply({ status, json }, { operation }) {',
      "  if (!operation.startsWith('put') || status !== 202) return undefined;",
      '  return { accepted: { id: json.data.id, reference: json.data.reference } };',
      '},',
    ],
  },
  envelope: {
    reply: [
      'reply({ status, json }, { operation }) {',
      "  if (operation.startsWith('find') || status !== 200) return undefined;",
      '  const { id, reference } = json.result;',
      '  return { accepted: { id, reference } };',
      '},',
    ],
  },
  reference: { reply: referenceAt('json.data.employer_no') },
  'find-shape': {
    reply: [
      'reply({ status, json }, { operation }) {',
      "  if (operation !== 'findCompany' || status !== 200) return undefined;",
      '  return { found: json.company };',
      '},',
    ],
  },
  'same-reference': { reply: referenceAt('json.data.id') },
  'parent-reference': { reply: referenceAt('json.data.id') },
};
