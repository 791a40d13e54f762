import { html } from 'hono/html';
import type { CheckResult } from '../../domain/probe/checks.js';
import type { CoveredAssumption } from '../../sync/probe/run-probe.js';
import {
  badge,
  command,
  dataTable,
  dateTime,
  inEnglish,
  type Markup,
  type Page,
  type Tone,
} from './elements.js';
import { layout } from './layout.js';

const TONES: Readonly<Record<CheckResult, Tone>> = { confirmed: 'good', differs: 'bad', unknown: 'quiet' };

interface CoveragePageOptions {
  /** Address and client id; null: no such area is configured. */
  readonly environment: string | null;
  readonly checks: readonly CoveredAssumption[];
}

export function coveragePage(page: Page, { environment, checks }: CoveragePageOptions): Markup {
  const { texts } = page;
  const words = texts.coverage;
  const main = html`<h1>${words.heading}</h1>
    <p>${words.explanation} ${command(page, 'probe', '--company', 'KEY', '--vacancy', 'KEY')}</p>
    ${
      environment === null
        ? html`<p class="muted">${words.noArea}</p>`
        : html`<section class="card" aria-labelledby="observed">
            <h2 id="observed">${words.observedOf(environment)}</h2>
            ${dataTable(
              words.observedOf(environment),
              [
                { name: words.assumption },
                { name: words.result },
                { name: words.seen, long: true },
                { name: words.setting, long: true },
                { name: words.observedAt },
              ],
              checks.map((check) => cells(page, check)),
            )}
          </section>`
    }
    <nav class="pages"><a href="/">${texts.back}</a></nav>`;
  return layout(page, { title: words.title, main });
}

function cells(
  page: Page,
  { id, result, seen, setting, observedAt }: CoveredAssumption,
): readonly (string | Markup)[] {
  const words = page.texts.coverage;
  return [
    html`${words.assumptions[id]} <span class="line muted">${id}</span>`,
    badge(TONES[result], words.results[result]),
    observedAt === null ? html`<span class="muted">${words.notObserved}</span>` : inEnglish(page, seen),
    // As `coverage` prints it: nothing has to be set where nothing differs.
    result === 'differs' ? inEnglish(page, setting) : html`<span class="muted">–</span>`,
    observedAt === null ? html`<span class="muted">–</span>` : dateTime(page, observedAt),
  ];
}
