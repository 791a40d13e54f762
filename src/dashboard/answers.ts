import { SyncError } from '../domain/errors.js';
import type { Admission } from './access/access.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardRequest } from './dashboard-request.js';
import { whenGone } from '../runtime/http/own-origin.js';
import { localPath } from './local-path.js';
import type { Page } from './pages/page.js';
import { loginPage, noticePage } from './pages/plain-pages.js';

/** The page for a request that is not admitted; null: admitted. */
export function refuse(c: DashboardRequest, admission: Admission): Response | Promise<Response> | null {
  const page = c.get('page');
  const { refusals } = page.texts;
  if (admission === 'admitted') return null;
  if (admission === 'switched-off') {
    const { noToken, noTokenReason, noTokenHint } = refusals;
    return c.html(
      noticePage(page, { title: noToken, reason: noTokenReason, hint: noTokenHint, bare: true }),
      403,
    );
  }
  if (admission === 'foreign-host') {
    const { host, hostReason, hostHint } = refusals;
    const reason = hostReason((c.req.header('host') ?? '').slice(0, 100));
    return c.html(noticePage(page, { title: host, reason, hint: hostHint, bare: true }), 403);
  }
  if (admission === 'login') {
    c.header('WWW-Authenticate', 'Bearer');
    const back = c.req.method === 'GET' ? localPath(page.path) : '/';
    return c.html(loginPage(page, back, null), 401);
  }
  c.header('Retry-After', String(admission.wait));
  return c.html(loginPage(page, '/', page.texts.loginTooMany(page.format.number(admission.wait))), 429);
}

/** The address or the form is not valid. */
export function badRequest(c: DashboardRequest): Response | Promise<Response> {
  const page = c.get('page');
  const { badRequest: title, badRequestReason: reason, notFoundHint: hint } = page.texts.refusals;
  return c.html(noticePage(page, { title, reason, hint }), 400);
}

/** The form is not one of ours. */
export function notIntended(c: DashboardRequest): Response | Promise<Response> {
  const page = c.get('page');
  const { form, formReason, formHint } = page.texts.refusals;
  return c.html(noticePage(page, { title: form, reason: formReason, hint: formHint }), 403);
}

/** The page for an error, without the parts of the error that are not meant for people. */
export function failure(
  error: Error,
  c: DashboardRequest,
  emit: DashboardOptions['emit'],
): Response | Promise<Response> {
  const page = c.get('page') as Page | undefined;
  // The caller has hung up and will see no page.
  if (!page || whenGone(c.env.incoming.socket).aborted) return c.text('failed\n', 503);
  const { refusals } = page.texts;
  if (!(error instanceof SyncError)) {
    emit({ type: 'warning', message: `The dashboard failed: ${error.message}` });
    const { unexpected, unexpectedReason, unexpectedHint } = refusals;
    const notice = { title: unexpected, reason: unexpectedReason, hint: unexpectedHint };
    return c.html(noticePage(page, notice), 500);
  }
  if (error.code === 'environment-changed') {
    const notice = { title: refusals.otherEnvironment, reason: error.message, hint: error.hint ?? '' };
    return c.html(noticePage(page, notice), 409);
  }
  c.header('Retry-After', '5');
  const busy = whyBusy(error, page);
  const notice =
    busy === null
      ? { title: refusals.unavailable, reason: error.message, hint: refusals.unavailableHint }
      : { title: refusals.busy, reason: busy, hint: refusals.busyHint };
  return c.html(noticePage(page, notice), 503);
}

/** Postgres' codes for a wait for a lock, and for a statement, that took too long. */
const TOO_LONG: readonly unknown[] = ['55P03', '57014'];

/** Null: the database is not busy, the cause is another one. */
function whyBusy({ code, details }: SyncError, { texts: { refusals }, format }: Page): string | null {
  if (details.busy === true)
    return code === 'source-unavailable' ? refusals.manyForSource : refusals.manyForState;
  if (typeof details.timeout === 'number') return refusals.timeout(format.number(details.timeout / 1000));
  return TOO_LONG.includes(details.code) ? refusals.locked : null;
}
