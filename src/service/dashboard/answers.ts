import { SyncError } from '../../domain/errors.js';
import type { Admission } from './access/access.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardRequest } from './dashboard-request.js';
import { localPath } from './local-path.js';
import type { Page } from './pages/page.js';
import { loginPage, noticePage } from './pages/plain-pages.js';

/** Why somebody is not let in; null: let in. */
export function refuse(c: DashboardRequest, admission: Admission): Response | Promise<Response> | null {
  const page = c.get('page');
  const { refusals } = page.texts;
  if (admission === 'admitted') return null;
  if (admission === 'switched-off') {
    const { noToken, noTokenReason, noTokenCure } = refusals;
    return c.html(
      noticePage(page, { title: noToken, reason: noTokenReason, cure: noTokenCure, bare: true }),
      403,
    );
  }
  if (admission === 'foreign-host') {
    const { host, hostReason, hostCure } = refusals;
    const reason = hostReason((c.req.header('host') ?? '').slice(0, 100));
    return c.html(noticePage(page, { title: host, reason, cure: hostCure, bare: true }), 403);
  }
  if (admission === 'login') {
    c.header('WWW-Authenticate', 'Bearer');
    const back = c.req.method === 'GET' ? localPath(page.path) : '/';
    return c.html(loginPage(page, back, null), 401);
  }
  c.header('Retry-After', String(admission.wait));
  return c.html(loginPage(page, '/', page.texts.loginTooMany(page.format.number(admission.wait))), 429);
}

/** The address or the form makes no sense. */
export function badRequest(c: DashboardRequest): Response | Promise<Response> {
  const page = c.get('page');
  const { badRequest: title, badRequestReason: reason, notFoundCure: cure } = page.texts.refusals;
  return c.html(noticePage(page, { title, reason, cure }), 400);
}

/** What could not be done, without anything of the error that is not meant for people. */
export function failure(
  error: Error,
  c: DashboardRequest,
  emit: DashboardOptions['emit'],
): Response | Promise<Response> {
  const page = c.get('page') as Page | undefined;
  if (!page) return c.text('failed\n', 503);
  const { refusals } = page.texts;
  if (!(error instanceof SyncError)) {
    emit({ type: 'warning', message: `The dashboard failed: ${error.message}` });
    const { unexpected, unexpectedReason, unexpectedCure } = refusals;
    const notice = { title: unexpected, reason: unexpectedReason, cure: unexpectedCure };
    return c.html(noticePage(page, notice), 500);
  }
  if (error.code === 'environment-changed') {
    const notice = { title: refusals.otherEnvironment, reason: error.message, cure: error.hint ?? '' };
    return c.html(noticePage(page, notice), 409);
  }
  const { timeout } = error.details;
  const reason =
    typeof timeout === 'number' ? refusals.timeout(page.format.number(timeout / 1000)) : error.message;
  c.header('Retry-After', '5');
  return c.html(
    noticePage(page, { title: refusals.unavailable, reason, cure: refusals.unavailableCure }),
    503,
  );
}
