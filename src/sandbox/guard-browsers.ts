import type { Context, MiddlewareHandler } from 'hono';
import { isOwnOrigin } from '../runtime/http/own-origin.js';
import { answersTo, type HostRules } from './answers-to.js';

/**
 * Keeps pages of the outside world that run in a browser on this machine away: from all of the sandbox those whose own
 * name leads here, from everything below `/_sandbox` that changes something those of any other address. Programs send
 * neither header, and what is below `/api` is protected by its signature.
 */
export function guardBrowsers(rules: HostRules): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host');
    if (!answersTo(host, rules)) {
      const name = JSON.stringify((host ?? '').slice(0, 100));
      return refusal(c, `The sandbox does not answer to the host ${name}. Hint: sandbox --allow-host NAME`);
    }
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    const origin = {
      host,
      origin: c.req.header('origin'),
      secFetchSite: c.req.header('sec-fetch-site'),
    };
    if (c.req.path.startsWith('/_sandbox') && !reads && !isOwnOrigin(origin))
      return refusal(c, 'A page of another address cannot change the sandbox');
    return next();
  };
}

function refusal(c: Context, message: string): Response {
  return c.json({ message }, 403);
}
