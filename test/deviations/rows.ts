import type { DeviationsInput } from '../../src/config/deviations.js';

/** One way in which a platform may differ. */
export interface Row {
  readonly deviation: string;
  readonly deviations: DeviationsInput;
  /** Path of the base URL; default: none. */
  readonly basePath?: string;
  /** Lines of the block `platform:`. Undefined: the defaults bear it. */
  readonly setting?: string;
  /** How a run ends without the setting, and what it says then. */
  readonly without?: { readonly code: number; readonly says: readonly (string | RegExp)[] };
}

const PLATFORM_ID = 'replies: { reference: platform-id }';
const NOT_UNDERSTOOD = (part: RegExp, setting: string) => ({
  code: 5,
  says: ['reply-not-understood', part, setting],
});
const COMPANY = '/api/v2/companies/{id}';
const VACANCY = '/api/v2/vacancies/{id}';

export const ROWS: readonly Row[] = [
  { deviation: '201 for a Put that creates', deviations: { replies: { created: 201 } } },
  {
    deviation: '202 for every Put',
    deviations: { replies: { created: 202, updated: 202 } },
    setting: 'replies: { accepted: [200, 202] }',
    without: NOT_UNDERSTOOD(/202/, 'platform.replies.accepted'),
  },
  {
    deviation: '204 with an empty body',
    deviations: { replies: { created: 204, updated: 204 }, reference: { children: 'platform-id' } },
    setting: `${PLATFORM_ID}\n  operations: { putCompany: { accepted: [204] }, putVacancy: { accepted: [204] } }`,
    without: NOT_UNDERSTOOD(/204|empty/, 'accepted'),
  },
  { deviation: 'no meta', deviations: { replies: { meta: false } } },
  {
    deviation: 'the result under `result`',
    deviations: { replies: { envelope: 'result', meta: false } },
    setting: 'replies: { data: result }',
    without: NOT_UNDERSTOOD(/data is missing; the reply has result/, 'platform.replies.data'),
  },
  {
    deviation: 'the result deep in the reply',
    deviations: { replies: { envelope: 'payload.record' } },
    setting: 'replies: { data: payload.record }',
    without: NOT_UNDERSTOOD(/data is missing/, 'platform.replies.data'),
  },
  {
    deviation: 'nothing around the result',
    deviations: { replies: { envelope: 'none', meta: false } },
    setting: "replies: { data: '.' }",
    without: NOT_UNDERSTOOD(/data is missing; the reply has id/, 'platform.replies.data'),
  },
  { deviation: 'no id in the reply to a Put', deviations: { replies: { id: false } } },
  {
    deviation: 'the reference under another name',
    deviations: { reference: { field: 'company_ref' } },
    setting: 'replies: { reference: company_ref }',
    without: NOT_UNDERSTOOD(/reference/, 'platform.replies.reference'),
  },
  {
    deviation: 'the reference at a dotted path',
    deviations: { reference: { field: 'links.self' } },
    setting: 'replies: { reference: links.self }',
    without: NOT_UNDERSTOOD(/reference/, 'platform.replies.reference'),
  },
  { deviation: 'a whole number as reference', deviations: { reference: { form: 'number' } } },
  { deviation: 'text as reference', deviations: { reference: { form: 'text' } } },
  { deviation: 'another reference after each Put', deviations: { reference: { form: 'changing' } } },
  {
    deviation: 'no reference, children name the id of the path',
    deviations: { reference: { form: 'none' } },
    setting: PLATFORM_ID,
    without: NOT_UNDERSTOOD(/reference/, 'platform.replies.reference'),
  },
  {
    deviation: 'no reference, children name the platform’s own id',
    deviations: { reference: { form: 'none', children: 'id' } },
    setting: 'replies: { reference: id }',
    without: NOT_UNDERSTOOD(/reference/, 'platform.replies.reference'),
  },
  {
    deviation: 'v2 paths and another method',
    deviations: {
      operations: { putCompany: { method: 'POST', path: COMPANY }, putVacancy: { path: VACANCY } },
    },
    setting: `operations: { putCompany: { method: POST, path: '${COMPANY}' }, putVacancy: { path: '${VACANCY}' } }`,
    without: { code: 5, says: ['No such route', 'platform.operations.putCompany', 'placement-sync retry'] },
  },
  {
    deviation: 'a gateway whose path is signed',
    deviations: { requests: { prefix: '/gateway' } },
    basePath: '/gateway',
  },
  {
    deviation: 'a gateway that cuts its path off',
    deviations: { requests: { prefix: '/gateway', signedPrefix: '' } },
    basePath: '/gateway',
    setting: "signature: { signedPrefix: '' }",
    without: { code: 5, says: ['Signature is not valid'] },
  },
  {
    deviation: 'a gateway that asks for its key',
    deviations: { requests: { headers: { 'X-Gateway-Key': 'word' } } },
    setting: 'headers: { X-Gateway-Key: word }',
    without: { code: 5, says: ['X-Gateway-Key'] },
  },
  {
    deviation: 'Request-Timestamp in milliseconds',
    deviations: { requests: { timestamp: 'milliseconds' } },
    setting: 'signature: { timestamp: milliseconds }',
    without: { code: 5, says: ['Request-Timestamp must look like'] },
  },
  {
    deviation: 'Request-Timestamp as Unix time',
    deviations: { requests: { timestamp: 'epoch-seconds' } },
    setting: 'signature: { timestamp: epoch-seconds }',
    without: { code: 5, says: ['Request-Timestamp must look like', 'platform.signature'] },
  },
  {
    deviation: 'bodies that must be compressed',
    deviations: { requests: { gzip: 'required' } },
    setting: 'requestEncoding: gzip',
    without: { code: 5, says: ['request-refused', 'platform.requestEncoding'] },
  },
  {
    deviation: 'compressed bodies whose sent bytes are signed',
    deviations: { requests: { gzip: 'required', digestOf: 'sent' } },
    setting: 'requestEncoding: gzip\n  signature: { digestOf: sent }',
    without: { code: 5, says: ['request-refused', 'platform.requestEncoding'] },
  },
  {
    deviation: 'the digest in a header too',
    deviations: { requests: { digestHeader: { name: 'Content-Digest', form: 'rfc9530', of: 'sent' } } },
    setting: 'signature: { digestHeader: { name: Content-Digest, form: rfc9530, of: sent } }',
    without: { code: 5, says: ['Content-Digest', 'platform.signature.digestHeader', 'placement-sync retry'] },
  },
  {
    deviation: 'If-Match for every change',
    deviations: { requests: { etags: 'required' } },
    setting: 'precondition: if-match',
  },
  {
    deviation: 'If-Match, and If-None-Match for new records',
    deviations: { requests: { etags: 'all' } },
    setting: 'precondition: if-match-or-none-match',
    without: { code: 5, says: ['request-refused', 'platform.precondition', 'if-match-or-none-match'] },
  },
  { deviation: 'Puts that merge', deviations: { bodies: { merge: true } }, setting: 'absent: null' },
  {
    deviation: '400 for a repeated Request-Id',
    deviations: { errors: { repeatedRequestId: { status: 400, code: 'DUPLICATE' } } },
  },
  { deviation: 'headers that count requests down', deviations: { rate: { limit: 5 } } },
  {
    deviation: 'all at once',
    deviations: {
      replies: { created: 202, updated: 202, meta: false, id: false },
      reference: { field: 'ref.no', form: 'number' },
      bodies: { merge: true },
      errors: { shape: 'problem', authentication: { status: 400, code: 'INVALID_SIGNATURE' } },
      requests: {
        prefix: '/gateway',
        signedPrefix: '',
        timestamp: 'milliseconds',
        headers: { 'X-Gateway-Key': 'word' },
      },
      operations: { putCompany: { path: COMPANY } },
      rate: { limit: 5, names: 'ratelimit' },
    },
    basePath: '/gateway',
    setting: [
      'replies: { accepted: [202], reference: ref.no }',
      'absent: null',
      "signature: { signedPrefix: '', timestamp: milliseconds }",
      'headers: { X-Gateway-Key: word }',
      `operations: { putCompany: { path: '${COMPANY}' } }`,
    ].join('\n  '),
    without: { code: 5, says: ['X-Gateway-Key'] },
  },
];
