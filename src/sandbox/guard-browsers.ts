import type { Context, MiddlewareHandler } from 'hono';
import { isOwnOrigin } from '../runtime/http/own-origin.js';
import { answersTo, type HostRules } from './answers-to.js';

/**
 * Refuses pages from the internet in a browser on this machine. A page whose own name leads here reaches nothing; a
 * page of another address changes nothing below `/_sandbox`. Programs send neither header, and signatures protect
 * everything below `/api`.
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
