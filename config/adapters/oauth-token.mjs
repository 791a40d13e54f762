// @ts-check
const TOKEN_URL = process.env.GATEWAY_TOKEN_URL ?? 'https://gateway.example/oauth/token';
const CLIENT = `${process.env.GATEWAY_CLIENT_ID}:${process.env.GATEWAY_CLIENT_SECRET}`;

/** One token for all requests of this process: some gateways end the earlier one when they give another. */
let token = { text: '', until: 0 };
/** @type {Promise<void> | undefined} */
let asking;

/**
 * A gateway that wants a token (OAuth 2, client credentials) beside the signature.
 *
 * @type {import('placement-sync/adapter').Adapter}
 */
export default {
  async request(request, { fetch, now }) {
    if (token.until <= now.getTime()) await (asking ??= ask(fetch, now).finally(() => (asking = undefined)));
    return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token.text}` } };
  },

  reply({ status, headers }) {
    if (status !== 401 || !headers['www-authenticate']?.startsWith('Bearer')) return undefined;
    token.until = 0;
    return { retry: { message: 'The gateway wants a new token', afterMs: 100 } };
  },
};

/** @param {import('placement-sync/adapter').AdapterTools['fetch']} fetch @param {Date} now */
async function ask(fetch, now) {
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Authorization: `Basic ${Buffer.from(CLIENT).toString('base64')}`,
  };
  const reply = await fetch(TOKEN_URL, { method: 'POST', headers, body: 'grant_type=client_credentials' });
  if (!reply.ok) throw new Error(`The token endpoint answers HTTP ${reply.status}`);
  const { access_token: text, expires_in: seconds = 300 } = await reply.json();
  token = { text, until: now.getTime() + seconds * 750 };
}
