import { html } from 'hono/html';
import { asOf, badge, command, dataTable, type Tone } from '../../dashboard/pages/elements.js';
import { layout } from '../../dashboard/pages/layout.js';
import type { Markup, Page } from '../../dashboard/pages/page.js';
import type { FleetReport } from '../fleet-report.js';
import { fleetStanding, type FleetStanding } from '../fleet-standing.js';
import { TENANT_STATES } from '../tenant-state.js';
import { FLEET_TEXTS } from '../text/in-language.js';
import { tenantsLink } from './links.js';
import { tenantsPart } from './tenants-part.js';
import type { TenantsQuery } from './tenants-query.js';

const TONES: Readonly<Record<FleetStanding, Tone>> = {
  failing: 'bad',
  stale: 'bad',
  'needs-correction': 'warn',
  fine: 'good',
  empty: 'quiet',
};

/** The first page: the verdict, counts, jobs, replicas, and the tenants, the worst first. Pure. */
export function fleetPage(
  page: Page,
  report: FleetReport,
  { ageMs, query }: { readonly ageMs: number; readonly query: TenantsQuery },
): Markup {
  const { format } = page;
  const fleet = FLEET_TEXTS[page.language];
  const { standing, needing } = fleetStanding(report);
  const words =
    standing === 'fine' || standing === 'empty'
      ? fleet.verdicts[standing]
      : fleet.verdicts.failing(format.number(needing));
  const main = html`<div id="verdict" data-live class="verdict">
      <h1>${badge(TONES[standing], words)}</h1>
      ${asOf(page, new Date(report.at), ageMs)}
    </div>
    ${standing === 'empty' ? html`<p>${fleet.emptyHint} ${command(page, 'fleet', 'apply', 'DIR')}</p>` : ''}
    <section id="fleet" data-live aria-label="${fleet.title}">
      <ul class="cards">
        ${card(fleet.counts, counts(page, report))} ${card(fleet.jobs, jobs(page, report))}
        ${card(fleet.replicas, replicas(page, report))}
      </ul>
    </section>
    ${tenantsPart(page, report, query)}`;
  return layout(page, { title: `${words} · ${fleet.title}`, main, live: true });
}

function card(title: string, content: Markup): Markup {
  return html`<li class="card">
    <h2>${title}</h2>
    ${content}
  </li>`;
}

/** Each number leads to the list of its tenants. */
function counts({ language, format }: Page, report: FleetReport): Markup {
  const fleet = FLEET_TEXTS[language];
  return html`<ul class="counts">
      ${TENANT_STATES.map((state) => {
        const count = report.counts[state];
        const words = html`<span class="count">${format.number(count)}</span> ${fleet.states[state]}`;
        return count === 0
          ? html`<li title="${fleet.stateMeanings[state]}"><span class="zero">${words}</span></li>`
          : html`<li title="${fleet.stateMeanings[state]}">
              <a href="${tenantsLink({ state, search: null, page: 1 })}">${words}</a>
            </li>`;
      })}
    </ul>
    <p class="muted">${fleet.pending}: ${format.number(report.pending)}</p>`;
}

function jobs({ language, format }: Page, { jobs: counted }: FleetReport): Markup {
  const fleet = FLEET_TEXTS[language];
  if (counted === null) return html`<p>${fleet.jobsUnknown}</p>`;
  return dataTable(
    fleet.jobs,
    [{ name: fleet.lane }, { name: fleet.ready, number: true }, { name: fleet.active, number: true }],
    (['sync', 'large'] as const).map((lane) => [
      lane,
      format.number(counted[lane].ready),
      format.number(counted[lane].active),
    ]),
  );
}

function replicas({ language, format }: Page, { replicas: atWork }: FleetReport): Markup {
  const fleet = FLEET_TEXTS[language];
  if (atWork.length === 0) return html`<p class="muted">${fleet.replicasNone}</p>`;
  return dataTable(
    fleet.replicas,
    [
      { name: fleet.replica, long: true },
      { name: fleet.tenants, number: true },
    ],
    atWork.map(({ name, tenants }) => [name, format.number(tenants)]),
  );
}
