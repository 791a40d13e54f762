import { html } from 'hono/html';
import type { Delivery, DeliveryOutcome } from '../../domain/report.js';
import type { DeliveryPage } from '../../ports/queue.js';
import type { ListedRun } from '../../ports/runs.js';
import { deliveryTable } from './delivery-table.js';
import { layout } from './layout.js';
import { recordLink, runLink } from './links.js';
import type { Markup, Page } from './page.js';
import { runsTable } from './runs-table.js';

export interface RunPageOptions {
  readonly run: ListedRun;
  readonly deliveries: DeliveryPage;
  /** Only these are shown; null: all. */
  readonly outcome: DeliveryOutcome | null;
  /** Whether the list begins with the first. */
  readonly first: boolean;
}

/** What a run found and what was sent for it: which records, how the platform answered, and why. Pure. */
export function runPage(page: Page, { run, deliveries, outcome, first }: RunPageOptions): Markup {
  const { texts, format } = page;
  const { report } = texts;
  const title = report.run(format.dateTime(run.startedAt));
  const main = html`<h1>${title}</h1>
    <div class="card">${runsTable(page, [[run]], { outcome: null, all: false, before: null })}</div>
    <h2>${report.ofRun}</h2>
    <p class="muted">${report.ofRunHint}</p>
    <form class="choice" action="${runLink(run.runId)}" method="get">
      <label
        ><span>${texts.outcome}</span>
        <select name="outcome">
          <option value="">${report.allEntities}</option>
          ${Object.entries(report.outcomes).map(
            ([one, name]) =>
              html`<option value="${one}" ${one === outcome ? html`selected` : ''}>${name}</option>`,
          )}
        </select></label
      >
      <button type="submit">${texts.show}</button>
    </form>
    ${
      deliveries.deliveries.length === 0
        ? html`<p class="muted">${report.runNothing}</p>`
        : html`<div class="card journal">
            ${deliveryTable(
              page,
              report.ofRun,
              deliveries.deliveries.map((delivery) => ({ ...delivery, record: record(page, delivery) })),
            )}
          </div>`
    }
    <nav class="pages">
      ${first ? '' : html`<a href="${runLink(run.runId, { outcome })}">${texts.firstPage}</a>`}
      ${
        deliveries.next
          ? html`<a href="${runLink(run.runId, { outcome, after: deliveries.next })}">${texts.next}</a>`
          : ''
      }
      <a href="/report">${report.title}</a>
      <a href="/">${texts.back}</a>
    </nav>`;
  return layout(page, { title, main });
}

/** An entity that is not configured any more has no pages. */
function record({ texts, entities }: Page, { entity, key, kind }: Delivery): Markup {
  const name = entities.includes(entity)
    ? html`<a class="key" href="${recordLink(entity, key)}">${key}</a>`
    : html`<span class="key">${key}</span>`;
  return html`${name}
    <span class="line muted">${texts.entityName(entity)}, ${texts.report.kinds[kind]}</span>`;
}
