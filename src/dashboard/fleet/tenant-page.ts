import { html } from 'hono/html';
import {
  asOf,
  badge,
  command,
  countOf,
  dateTime,
  facts,
  inEnglish,
  type Markup,
  moment,
  type Page,
  type Tone,
} from '../pages/elements.js';
import { layout } from '../pages/layout.js';
import type { TenantReport, TenantState } from '../../features/fleet/fleet-report.js';
import { FLEET_TEXTS as fleet } from '../../features/fleet/texts.js';

/** One tenant: how it stands and why, its last run, and the commands for it. `at`: when the report was made. */
export function tenantPage(
  page: Page,
  tenant: TenantReport,
  { at: now, ageMs }: { readonly at: Date; readonly ageMs: number },
): Markup {
  const { texts, format } = page;
  const { name, state, since, running } = tenant;
  const time = (iso: string | null) => moment(page, iso === null ? null : new Date(iso), now);
  const main = html`<div id="verdict" data-live class="verdict">
      <h1>${name}</h1>
      ${stateBadge(state)} ${asOf(page, now, ageMs)}
    </div>
    <section id="tenant" data-live aria-label="${fleet.tenant}">
      <div class="card">
        <p>${tenant.reason ?? fleet.stateMeanings[state]}</p>
        ${facts([
          [fleet.since, since === null ? null : time(since)],
          [texts.lastSuccess, time(tenant.lastSuccessAt)],
          [fleet.pending, countOf(page, tenant.pending)],
          [fleet.replica, running && html`${running.replica} (${time(running.since)})`],
          [fleet.period, format.span(tenant.periodMs)],
          [fleet.lane, tenant.lane],
          [fleet.schema, tenant.schema],
          [fleet.ledger, tenant.ledger],
        ])}
      </div>
    </section>
    <section id="run" data-live aria-labelledby="run-title">
      <h2 id="run-title">${fleet.lastRun}</h2>
      <div class="card">${lastRun(page, tenant)}</div>
    </section>
    <section aria-labelledby="commands-title">
      <h2 id="commands-title">${fleet.commands}</h2>
      <div class="card">${commands(page, tenant)}</div>
    </section>
    <nav class="pages"><a href="/">${texts.back}</a></nav>`;
  return layout(page, { title: name, main, live: true });
}

function lastRun(page: Page, { lastRun: run }: TenantReport): Markup {
  const { texts, format } = page;
  if (run === null) return html`<p class="muted">${fleet.noRun}</p>`;
  const [began, ended] = [new Date(run.startedAt), new Date(run.finishedAt)];
  const { outcome } = run;
  const known = Object.hasOwn(texts.outcomes, outcome)
    ? texts.outcomes[outcome as keyof typeof texts.outcomes]
    : outcome === 'slice'
      ? fleet.slice
      : outcome;
  return facts([
    [texts.outcome, `${known}, ${texts.exitCode(String(run.exitCode))}`],
    [fleet.message, run.message === null ? null : inEnglish(page, run.message)],
    [texts.began, dateTime(page, began)],
    [fleet.ended, dateTime(page, ended)],
    [fleet.took, format.span(Math.max(0, ended.getTime() - began.getTime()))],
    [fleet.pending, countOf(page, run.pending)],
  ]);
}

/** What can be done about it now. Nothing is done from the page: who may do it is who may use the commands. */
function commands(page: Page, { name, state, movingTo }: TenantReport): Markup {
  const { commandMeanings } = fleet;
  const ofState =
    state === 'disabled' || movingTo !== null
      ? []
      : state === 'paused'
        ? ([[commandMeanings.resume, command(page, 'fleet', 'resume', name)]] as const)
        : ([
            [commandMeanings.sync, command(page, 'fleet', 'sync', name)],
            [commandMeanings.pause, command(page, 'fleet', 'pause', name)],
          ] as const);
  return facts([
    ...ofState,
    [commandMeanings.status, command(page, 'status', '--config', `${name}.yaml`)],
    [commandMeanings.apply, command(page, 'fleet', 'apply', 'DIR')],
  ]);
}

const TONES: Readonly<Record<TenantState, Tone>> = {
  failing: 'bad',
  stale: 'bad',
  'needs-correction': 'warn',
  running: 'busy',
  waiting: 'quiet',
  paused: 'quiet',
  disabled: 'quiet',
  ok: 'good',
};

/** The state of a tenant as colour, sign and word. */
export function stateBadge(state: TenantState): Markup {
  return badge(TONES[state], fleet.states[state]);
}
