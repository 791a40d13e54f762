import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Page } from './pages/page.js';

/** What goes with a request: Node's own request, and what its page knows. */
export interface DashboardEnv {
  Bindings: HttpBindings;
  Variables: { page: Page };
}

export type DashboardRequest = Context<DashboardEnv>;
