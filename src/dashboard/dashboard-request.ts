import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { withoutDone } from './done-message.js';
import type { Page } from './pages/elements.js';

/** What goes with a request: Node's own request, and what its page knows. */
export interface DashboardEnv {
  Bindings: HttpBindings;
  Variables: { page: Page };
}

export type DashboardRequest = Context<DashboardEnv>;

const PAGES = /^\/(records?|report(\/records)?|runs(\/[0-9a-f-]+)?|inbox|actions|tenant)?$/;

/** The page to go back to, if it is one of ours; else the overview: a form could name any address. */
export function localPath(asked: string | undefined): string {
  if (asked === undefined || !URL.canParse(asked, 'http://dashboard')) return '/';
  const { origin, pathname } = new URL(asked, 'http://dashboard');
  return origin === 'http://dashboard' && PAGES.test(pathname) ? withoutDone(asked) : '/';
}

/** The fields of a form. The listener has limited its size and read all of it. */
export async function readForm(c: DashboardRequest): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  const text = type.startsWith('application/x-www-form-urlencoded') ? await c.req.text() : '';
  return new URLSearchParams(text);
}
