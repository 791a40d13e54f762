import { html } from 'hono/html';
import {
  asOf,
  badge,
  command,
  countOf,
  dataTable,
  type Markup,
  moment,
  type Page,
  selectField,
  type Tone,
} from '../pages/elements.js';
import { layout } from '../pages/layout.js';
import { link } from '../pages/links.js';
import {
  type FleetReport,
  fleetStanding,
  type FleetStanding,
  TENANT_STATES,
  type TenantReport,
  type TenantState,
} from '../../features/fleet/fleet-report.js';
import { FLEET_TEXTS as fleet } from '../../features/fleet/texts.js';
import { stateBadge } from './tenant-page.js';

const TONES: Readonly<Record<FleetStanding, Tone>> = {
  failing: 'bad',
  stale: 'bad',
  'needs-correction': 'warn',
  fine: 'good',
  empty: 'quiet',
};

/** The first page: the verdict, counts, jobs, replicas, and the tenants, the worst first. */
export function fleetPage(
  page: Page,
  report: FleetReport,
  { ageMs, query }: { readonly ageMs: number; readonly query: TenantsQuery },
): Markup {
  const { format } = page;
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
function counts({ format }: Page, report: FleetReport): Markup {
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

function jobs({ format }: Page, { jobs: counted }: FleetReport): Markup {
  if (counted === null) return html`<p>${fleet.jobsUnknown}</p>`;
  return dataTable(
    fleet.jobs,
    [
      { name: fleet.lane },
      { name: fleet.ready, number: true },
      { name: fleet.active, number: true },
      { name: fleet.longestWait, number: true },
    ],
    (['sync', 'large'] as const).map((lane) => [
      lane,
      format.number(counted[lane].ready),
      format.number(counted[lane].active),
      `${format.number(counted[lane].longestWait)} s`,
    ]),
  );
}

function replicas({ format }: Page, { replicas: atWork }: FleetReport): Markup {
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

/** The tenants that the address asks for, with the form that changes it, page by page. */
function tenantsPart(page: Page, { tenants, at }: FleetReport, query: TenantsQuery): Markup {
  const { texts, format } = page;
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

function choice({ texts }: Page, { state, search }: TenantsQuery): Markup {
  return html`<form class="choice" action="/" method="get">
    ${selectField(fleet.state, 'state', state ?? '', [
      ['', fleet.anyState],
      ...TENANT_STATES.map((name) => [name, fleet.states[name]] as const),
    ])}
    <label
      ><span>${fleet.nameContaining}</span>
      <input name="find" maxlength="60" autocomplete="off" spellcheck="false" value="${search ?? ''}"
    /></label>
    <button type="submit">${texts.show}</button>
  </form>`;
}

/** States whose reason stands below their line; of the others the state says enough. */
const EXPLAINED: readonly string[] = ['failing', 'stale', 'needs-correction'];

/** Tenants in the order given, each with why it needs attention. */
function tenantsTable(page: Page, tenants: readonly TenantReport[], now: Date): Markup {
  const { texts, format } = page;
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
        html`<a href="${link('/tenant', { name: tenant.name })}">${tenant.name}</a>`,
        stateBadge(tenant.state),
        moment(page, tenant.lastSuccessAt === null ? null : new Date(tenant.lastSuccessAt), now),
        countOf(page, tenant.pending),
        html`<span class="short">${format.span(tenant.periodMs)}</span>`,
        tenant.lane,
        tenant.running?.replica ?? '–',
      ],
      note: EXPLAINED.includes(tenant.state) ? tenant.reason : null,
    })),
  );
}

/** What the address of the first page asks for. */
interface TenantsQuery {
  /** Null: of any state. */
  readonly state: TenantState | null;
  /** A part of the name; null: any. */
  readonly search: string | null;
  /** From 1 on. */
  readonly page: number;
}

/** Tenants on one page. */
const PAGE_SIZE = 100;

/** Longest text that is searched for: names are no longer. */
const LONGEST = 60;

/** Reads an address. Null: it names something that does not exist. */
export function readTenantsQuery(query: URLSearchParams): TenantsQuery | null {
  const asked = query.get('state') ?? '';
  const state = TENANT_STATES.find((name) => name === asked) ?? null;
  const page = query.get('page') ?? '1';
  if ((state === null && asked !== '') || !/^[1-9]\d{0,5}$/.test(page)) return null;
  const search = (query.get('find') ?? '').trim().slice(0, LONGEST).toLowerCase();
  return { state, search: search || null, page: Number(page) };
}

/** The tenants that an address asks for, in the order given, and how many match in all. */
function chooseTenants(
  tenants: readonly TenantReport[],
  { state, search, page }: TenantsQuery,
): { readonly shown: readonly TenantReport[]; readonly matching: number } {
  const matching = tenants.filter(
    (tenant) =>
      (state === null || tenant.state === state) && (search === null || tenant.name.includes(search)),
  );
  return { shown: matching.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), matching: matching.length };
}

/** Address of the first page with a list of these tenants. */
function tenantsLink({ state, search, page }: TenantsQuery): string {
  return link('/', { state, find: search, page: page === 1 ? null : String(page) });
}
