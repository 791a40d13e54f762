import type { Hono } from 'hono';
import { FIRST_CONTACT_AREA } from '../entities/index.js';
import { whenGone } from '../runtime/http/own-origin.js';
import { probeEnvironment, readCoverage } from '../sync/probe/run-probe.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardEnv } from './dashboard-request.js';
import { coveragePage } from './pages/coverage-page.js';
import { COVERAGE_PATH } from './pages/links.js';

/** The page that shows what `coverage` prints. */
export function coverageRoutes(
  app: Hono<DashboardEnv>,
  { stateUntil, settings }: Pick<DashboardOptions, 'stateUntil' | 'settings'>,
): void {
  const environment = settings.areas[FIRST_CONTACT_AREA]
    ? probeEnvironment(settings, FIRST_CONTACT_AREA)
    : null;
  app.get(COVERAGE_PATH, async (c) => {
    const checks = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), (signal) =>
      readCoverage(stateUntil(signal), environment ?? ''),
    );
    return c.html(coveragePage(c.get('page'), { environment, checks }));
  });
}
