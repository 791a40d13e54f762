import { html } from 'hono/html';
import type { RunLine } from '../fold-runs.js';
import { layout } from './layout.js';
import { RUNS_PATH, runsLink, type RunsQuery } from './links.js';
import type { Markup, Page } from './page.js';
import { runsTable } from './runs-table.js';

/** Outcomes that are stored, as the filter lists them. */
export const FILTERED_OUTCOMES = ['complete', 'partial', 'held', 'aborted', 'failed'] as const;

export interface RunsPageOptions {
  readonly query: RunsQuery;
  readonly lines: readonly RunLine[];
  /** There are older runs. */
  readonly further: boolean;
}

/** The history of the runs, page by page, the latest first. Pure. */
export function runsPage(page: Page, { query, lines, further }: RunsPageOptions): Markup {
  const { texts } = page;
  const { outcome, all, before } = query;
  const last = lines.at(-1)?.at(-1);
  const main = html`<h1>${texts.menuRuns}</h1>
    <p>${texts.runsMeaning}</p>
    <form class="choice" action="${RUNS_PATH}" method="get">
      <label
        ><span>${texts.outcome}</span>
        <select name="outcome">
          <option value="">${texts.everyOutcome}</option>
          ${FILTERED_OUTCOMES.map(
            (one) =>
              html`<option value="${one}" ${one === outcome ? html`selected` : ''}>
                ${texts.outcomes[one]}
              </option>`,
          )}
        </select></label
      >
      <label class="check"
        ><input type="checkbox" name="quiet" value="show" ${all ? html`checked` : ''} />
        ${texts.showQuiet}</label
      >
      <button type="submit">${texts.show}</button>
    </form>
    <section id="list" data-live aria-label="${texts.menuRuns}">
      <div class="card">${runsTable(page, lines, query)}</div>
    </section>
    <nav class="pages" aria-label="${texts.pages}">
      ${before === null ? '' : html`<a href="${runsLink({ ...query, before: null })}">${texts.firstPage}</a>`}
      ${further && last ? html`<a href="${runsLink({ ...query, before: last.runId })}">${texts.olderRuns}</a>` : ''}
      <a href="/">${texts.back}</a>
    </nav>`;
  // Only the first page changes.
  return layout(page, { title: texts.menuRuns, main, live: before === null });
}
