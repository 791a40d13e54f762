import { html } from 'hono/html';
import type { Hono } from 'hono';
import { createShell, readFor, refused, type ShellOptions } from '../shell.js';
import type { DashboardEnv, DashboardRequest } from '../dashboard-request.js';
import { menu, noticePage } from '../pages/layout.js';
import type { Markup, Page } from '../pages/elements.js';
import type { FleetReport } from '../../features/fleet/fleet-report.js';
import { FLEET_TEXTS } from '../../features/fleet/texts.js';
import { fleetPage, readTenantsQuery } from './fleet-page.js';
import { tenantPage } from './tenant-page.js';

interface FleetDashboardOptions extends Omit<
  ShellOptions,
  'entities' | 'navigation' | 'languages' | 'adapt'
> {
  /** Shared by all who ask at the same time. Errors: SyncError `state-unavailable`, `state-failed`. */
  readonly read: () => Promise<FleetReport>;
}

/**
 * The pages of a replica: the state of the fleet and each of its tenants. They change nothing. Access, headers and
 * style are those of a worker's dashboard; they are in English only.
 */
export function createFleetDashboard(options: FleetDashboardOptions): Hono<DashboardEnv> {
  const { app } = createShell({
    ...options,
    entities: [],
    navigation,
    languages: ['en'],
    adapt: withFleetTexts,
  });
  const read = (c: DashboardRequest) => readFor(c, () => options.read());
  const ageOf = ({ at }: FleetReport): number => options.clock.now() - Date.parse(at);

  app.get('/', async (c) => {
    const query = readTenantsQuery(new URL(c.req.url).searchParams);
    if (query === null) return refused(c, 'badRequest');
    const report = await read(c);
    return c.html(fleetPage(c.get('page'), report, { ageMs: ageOf(report), query }));
  });
  app.get('/tenant', async (c) => {
    const page = c.get('page');
    const report = await read(c);
    const tenant = report.tenants.find(({ name }) => name === c.req.query('name'));
    if (tenant) return c.html(tenantPage(page, tenant, { at: new Date(report.at), ageMs: ageOf(report) }));
    const { notFound, notFoundReason } = FLEET_TEXTS;
    const hint = page.texts.refusals.notFoundHint;
    return c.html(noticePage(page, { title: notFound, reason: notFoundReason, hint }), 404);
  });
  return app;
}

function navigation(page: Page): Markup {
  return html`${menu(page, [{ name: FLEET_TEXTS.title, link: '/', pages: /^\/$/ }])}`;
}

/** A fleet names its database otherwise. */
function withFleetTexts(page: Page): Page {
  const { unavailableHint } = FLEET_TEXTS;
  return { ...page, texts: { ...page.texts, refusals: { ...page.texts.refusals, unavailableHint } } };
}
