import { html } from 'hono/html';
import type { OverviewReading } from '../read-overview.js';
import { runNow } from './buttons.js';
import { command } from './elements.js';
import type { Markup, Page } from './page.js';

/** Before the first sweep, in place of the problems: what will happen, when, and what to do. */
export function firstSteps(page: Page, { now, lastRun, nextDue }: OverviewReading): Markup {
  const { texts, format } = page;
  const { first } = texts;
  const begun = lastRun?.finishedAt === null ? lastRun.startedAt : null;
  const when = begun
    ? first.underWay(format.age(begun, now))
    : nextDue
      ? first.due(format.age(nextDue, now), format.dateTime(nextDue))
      : first.notDue;
  return html`<section id="needs" data-live aria-labelledby="needs-title">
    <h2 id="needs-title">${first.title}</h2>
    <div class="card">
      <p>${when}</p>
      <p class="muted">${first.explanation}</p>
      ${begun ? '' : html`<p class="hint"><strong>${texts.hint}:</strong> ${first.hint}</p>`}
      ${begun ? '' : html`<p class="terminal">${texts.orInTerminal}: ${command(page, 'plan')} ${command(page, 'config', 'check')}</p>`}
      ${begun ? '' : html`<div class="buttons">${runNow(page)}</div>`}
    </div>
  </section>`;
}
