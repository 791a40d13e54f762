import { html } from 'hono/html';
import type { Markup, Page } from '../../dashboard/pages/page.js';
import type { FleetReport } from '../fleet-report.js';
import { TENANT_STATES } from '../tenant-state.js';
import { FLEET_TEXTS } from '../text/in-language.js';
import { tenantsLink } from './links.js';
import { chooseTenants, PAGE_SIZE, type TenantsQuery } from './tenants-query.js';
import { tenantsTable } from './tenants-table.js';

/** The tenants that the address asks for, with the form that changes it, page by page. Pure. */
export function tenantsPart(page: Page, { tenants, at }: FleetReport, query: TenantsQuery): Markup {
  const { texts, format } = page;
  const fleet = FLEET_TEXTS[page.language];
  const { shown, matching } = chooseTenants(tenants, query);
  const before = (query.page - 1) * PAGE_SIZE;
  const last = before + shown.length;
  return html`<section aria-labelledby="tenants-title">
    <h2 id="tenants-title">${fleet.tenants}</h2>
    ${choice(page, query)}
    <div id="list" data-live>
      <div class="card">
        ${shown.length === 0 ? '' : html`<p class="muted">${fleet.shown(format.number(before + 1), format.number(last), format.number(matching))}</p>`}
        ${tenantsTable(page, shown, new Date(at))}
      </div>
      <nav class="pages" aria-label="${texts.pages}">
        ${query.page === 1 ? '' : html`<a href="${tenantsLink({ ...query, page: query.page - 1 })}">${fleet.previous}</a>`}
        ${last < matching ? html`<a href="${tenantsLink({ ...query, page: query.page + 1 })}">${texts.next}</a>` : ''}
      </nav>
    </div>
  </section>`;
}

function choice({ texts, language }: Page, { state, search }: TenantsQuery): Markup {
  const fleet = FLEET_TEXTS[language];
  return html`<form class="choice" action="/" method="get">
    <label
      ><span>${fleet.state}</span>
      <select name="state">
        <option value="">${fleet.anyState}</option>
        ${TENANT_STATES.map(
          (name) =>
            html`<option value="${name}" ${name === state ? html`selected` : ''}>
              ${fleet.states[name]}
            </option>`,
        )}
      </select></label
    >
    <label
      ><span>${fleet.nameContaining}</span>
      <input name="find" maxlength="60" autocomplete="off" spellcheck="false" value="${search ?? ''}"
    /></label>
    <button type="submit">${texts.show}</button>
  </form>`;
}
