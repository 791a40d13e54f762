import { AREAS } from '../domain/names.js';
import { entriesOf, type Problem, type SettingPath, valueAt } from './problem.js';

/**
 * Settings of 1.x that are gone, each with what takes its place, so that whoever updates reads what to write instead of
 * "there is no such setting". `*` stands for any name. A block of areas has the same ones as the common block.
 */

const REQUEST = 'platform.adapter (docs/adapter.md): export default { request(request, tools) {';
const REPLY = 'platform.adapter (docs/adapter.md): export default { reply(reply) {';
const WEBHOOK = 'platform.adapter (docs/adapter.md): export default { webhook(request, tools) {';

const headers = (lines: string) =>
  `${REQUEST} return { ...request, headers: { ...request.headers, ${lines} } }; } }`;

/** Of `path`, or of the settings in the block there. */
const GONE: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'platform.replies': {
    accepted: `a 2xx with an object as data is understood. For another: ${REPLY} if (reply.status === 202) return { accepted: {} }; } }`,
    data: `${REPLY} const record = reply.json?.payload; if (record) return { accepted: { id: record.id, reference: record.reference } }; } }`,
    reference: `${REPLY} const { id, code } = reply.json?.data ?? {}; if (code) return { accepted: { id, reference: code } }; } }`,
    judge: `${REPLY} if (reply.text.includes('E17')) return { rejected: { message: reply.text } }; } }`,
    state: `${REPLY} const word = reply.json?.data?.status; if (word === 'taken down') return { found: reply.json.data, state: 'removed' }; } }`,
  },
  'platform.signature': {
    template: headers("Signature: Buffer.from(tools.hmac('sha256', tools.secret, TEXT)).toString('hex')"),
    hmac: headers("Signature: Buffer.from(tools.hmac('sha512', tools.secret, TEXT)).toString('base64')"),
    secretEncoding: headers(
      "Signature: Buffer.from(tools.hmac('sha256', Buffer.from(tools.secret, 'hex'), TEXT)).toString('base64')",
    ),
    digestOf: headers('...tools.sign({ ...request, body: COMPRESSED })'),
    digestHeader: headers("Digest: Buffer.from(tools.digest('sha256', request.body)).toString('base64')"),
    timestamp: headers("'Request-Timestamp': String(tools.now.getTime()), Signature: YOURS"),
    headerNames: headers("'X-Client-Id': tools.clientId"),
    signedPrefix: headers("...tools.sign({ ...request, path: request.path.replace('/gateway', '') })"),
  },
  'platform.requestEncoding': headers("'Content-Encoding': 'gzip'").replace(
    'request.headers,',
    'request.headers, /* and body: gzipSync(request.body) */',
  ),
  'platform.precondition': headers("'If-Match': tools.cache.get(request.path) ?? '*'"),
  'platform.oauth': `${headers('Authorization: `Bearer ${token}`')}; config/adapters/oauth-token.mjs asks for the token`,
  'platform.lenientHttp':
    'nothing. Replies that are not valid HTTP are not read, because programs disagree about where they end: their operator has to correct them',
  'platform.operations.*.accepted': `a 2xx with an object as data is understood, and any 2xx of a delete. For another: ${REPLY} if (reply.status === 204) return { accepted: {} }; } }`,
  'webhook.sql':
    'a trigger `after insert on placement_sync.job_application` (docs/webhook.md); it runs in the same transaction, and its error answers 503',
  'http.admin.userHeader':
    'a token with a name for each person (http.admin.tokens); a proxy in front may add it as Authorization: Bearer',
  'http.admin.trustedProxies': 'nothing. Let the proxy in front limit guesses of tokens',
  'webhook.headerNames': `${WEBHOOK} read its headers, check the signature with tools.hmac, return { events: [JSON.parse(Buffer.from(request.body))] }; } }`,
  'webhook.challenge': `${WEBHOOK} const word = new URLSearchParams(request.query).get('challenge'); if (word) return { answer: { status: 200, body: word } }; } }`,
};

/** What is said of settings that the schema does not know; null: they were never known. */
export function goneSettings(path: SettingPath, data: unknown): Problem[] | null {
  const block = own(GONE, nameOf(path.slice(0, -1)));
  const found =
    own(GONE, nameOf(path)) ?? (typeof block === 'object' ? own(block, String(path.at(-1))) : undefined);
  if (found === undefined) return null;
  if (typeof found === 'string') return [problem(path, found)];
  const known = entriesOf(valueAt(data, path)).flatMap(([key]) => {
    const instead = own(found, key);
    return instead === undefined ? [] : [problem([...path, key], instead)];
  });
  return known.length > 0 ? known : [problem(path, 'platform.adapter (docs/adapter.md)')];
}

/** A name such as `constructor` is no entry. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function problem(path: SettingPath, instead: string): Problem {
  return { path, message: `is gone since 2.0.0. In its place: ${instead}` };
}

/** As `GONE` writes it. */
function nameOf(path: SettingPath): string {
  const parts = path.map(String);
  const isOfArea = parts[0] === 'platform' && AREAS.some((area) => area === parts[1]);
  const common = isOfArea ? ['platform', ...parts.slice(2)] : parts;
  if (common[1] === 'operations' && common[3] === 'accepted') return 'platform.operations.*.accepted';
  return common.join('.');
}
