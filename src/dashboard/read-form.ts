import type { DashboardRequest } from './dashboard-request.js';

/** The fields of a form. The listener has limited its size and read all of it. */
export async function readForm(c: DashboardRequest): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  const text = type.startsWith('application/x-www-form-urlencoded') ? await c.req.text() : '';
  return new URLSearchParams(text);
}
