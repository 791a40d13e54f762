// @ts-check
/**
 * Headers with other names, a secret that is written in hex, HMAC-SHA-512 over method, path and body, and Unix time.
 *
 * @type {import('placement-sync/adapter').Adapter}
 */
export default {
  request(request, { clientId, requestId, secret, now, hmac }) {
    const time = String(Math.floor(now.getTime() / 1_000));
    const body = Buffer.from(request.body ?? []);
    const lines = [request.method, request.path, clientId, requestId, time, ''].join('\n');
    const signature = hmac('sha512', Buffer.from(secret, 'hex'), Buffer.concat([Buffer.from(lines), body]));
    const { Accept, 'User-Agent': agent, 'Content-Type': type } = request.headers;
    return {
      ...request,
      headers: {
        Accept,
        'User-Agent': agent,
        ...(type === undefined ? {} : { 'Content-Type': type }),
        'X-Client': clientId,
        'X-Request': requestId,
        'X-Time': time,
        'X-Signature': Buffer.from(signature).toString('hex'),
      },
    };
  },
};
