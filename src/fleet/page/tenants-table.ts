import { html } from 'hono/html';
import { countOf, dataTable, moment } from '../../dashboard/pages/elements.js';
import type { Markup, Page } from '../../dashboard/pages/page.js';
import { tenantReason } from '../tenant-reason.js';
import type { TenantReport } from '../tenant-report.js';
import { FLEET_TEXTS } from '../text/in-language.js';
import { tenantLink } from './links.js';
import { stateBadge } from './state-badge.js';

/** States whose reason stands below their line; of the others the state says enough. */
const EXPLAINED: readonly string[] = ['failing', 'stale', 'needs-correction'];

/** Tenants in the order given, each with why it needs attention. Pure. */
export function tenantsTable(page: Page, tenants: readonly TenantReport[], now: Date): Markup {
  const { texts, format } = page;
  const fleet = FLEET_TEXTS[page.language];
  if (tenants.length === 0) return html`<p class="muted">${fleet.noMatch}</p>`;
  return dataTable(
    fleet.tenants,
    [
      { name: fleet.tenant, long: true },
      { name: fleet.state },
      { name: texts.lastSuccess },
      { name: fleet.pending, number: true },
      { name: fleet.period },
      { name: fleet.lane },
      { name: fleet.replica, long: true },
    ],
    tenants.map((tenant) => ({
      cells: [
        html`<a href="${tenantLink(tenant.name)}">${tenant.name}</a>`,
        stateBadge(tenant.state, fleet),
        moment(page, tenant.lastSuccessAt === null ? null : new Date(tenant.lastSuccessAt), now),
        countOf(page, tenant.pending),
        html`<span class="short">${format.span(tenant.periodMs)}</span>`,
        tenant.lane,
        tenant.running?.replica ?? '–',
      ],
      note: EXPLAINED.includes(tenant.state) ? tenantReason(tenant, fleet.reasons, format.number) : null,
    })),
  );
}
