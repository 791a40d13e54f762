import { html } from 'hono/html';
import { isUnreachable, TROUBLE_KINDS } from '../../domain/trouble/trouble.js';
import type { OverviewReading } from '../read-overview.js';
import { chart, type ChartOptions } from './chart.js';
import { asOf, badge, type Tone } from './elements.js';
import { firstSteps } from './first-steps.js';
import { entityCard } from './entity-card.js';
import { inboxPart } from './inbox-part.js';
import { layout } from './layout.js';
import { INBOX_PATH, RUNS_PATH } from './links.js';
import type { Markup, Page } from './page.js';
import { runsTable } from './runs-table.js';
import { troubleList } from './trouble-list.js';
import { workersPart } from './workers-part.js';

export interface OverviewPageOptions {
  readonly overview: OverviewReading;
  /** How long ago that was read. */
  readonly ageMs: number;
  readonly answers: ChartOptions;
  /** What a button did; null: none was pressed. */
  readonly said: string | null;
}

/** The first page: the verdict, problems, health, answers, runs. Pure. */
export function overviewPage(page: Page, { overview, ageMs, answers, said }: OverviewPageOptions): Markup {
  const { texts } = page;
  const { now, entities, troubles, runs, inbox } = overview;
  const { tone, words } = verdict(page, overview);
  const needing = html`<section id="needs" data-live aria-labelledby="needs-title">
    <h2 id="needs-title">${texts.attention}</h2>
    ${troubleList(page, troubles, now)}
  </section>`;
  const main = html`<div id="verdict" data-live class="verdict">
      <h1>${badge(tone, words)}</h1>
      ${asOf(page, now, ageMs)}
    </div>
    ${isFirst(overview) ? firstSteps(page, overview) : needing}
    <section id="health" data-live aria-labelledby="health-title">
      <h2 id="health-title">${texts.health}</h2>
      <ul class="cards">
        ${entities.map((entity) => entityCard(page, entity, now))}
      </ul>
    </section>
    <section id="chart" data-live aria-labelledby="chart-title">
      <h2 id="chart-title">${texts.chartTitle}</h2>
      <div class="card">${chart(page, answers)}</div>
    </section>
    <section id="runs" data-live aria-labelledby="runs-title">
      <h2 id="runs-title">${texts.runs}</h2>
      <div class="card">
        ${runsTable(page, runs, { outcome: null, all: false, before: null })}
        <p><a href="${RUNS_PATH}">${texts.allRuns}</a></p>
      </div>
    </section>
    <div class="pair">
      <section id="workers" data-live aria-labelledby="workers-title">
        <h2 id="workers-title">${texts.workers}</h2>
        <div class="card">${workersPart(page, overview)}</div>
      </section>
      <section id="inbox" data-live aria-labelledby="inbox-title">
        <h2 id="inbox-title">${texts.inbox}</h2>
        <div class="card">
          ${inboxPart(page, inbox, now)}
          <p><a href="${INBOX_PATH}">${texts.allApplications}</a></p>
        </div>
      </section>
    </div>`;
  // A person who opens the page later sees the request too, until the run begins.
  const requested = said === texts.done.run || (said === null && overview.asked);
  const paused = pauseEnd(overview);
  const message = !requested
    ? said
    : paused === null
      ? texts.done.run
      : texts.done.runPaused(page.format.time(paused));
  const lasting = !requested;
  return layout(page, { title: `${words} · ${texts.overview}`, main, message, lasting, live: true });
}

/** When the latest pause that the platform asked for ends; null: there is none. */
function pauseEnd({ troubles }: OverviewReading): Date | null {
  return troubles.reduce<Date | null>((latest, trouble) => {
    const until = trouble.kind === 'area-stopped' ? trouble.pausedUntil : null;
    return until !== null && (latest === null || until > latest) ? until : latest;
  }, null);
}

/** No sweep yet, and no trouble. */
function isFirst({ entities, troubles }: OverviewReading): boolean {
  return troubles.length === 0 && entities.every(({ health }) => health === 'new');
}

function verdict(
  { texts, format }: Page,
  { troubles, entities }: OverviewReading,
): { tone: Tone; words: string } {
  const { verdicts } = texts;
  // Troubles that pass by themselves are listed, but need no action.
  const needs = troubles.filter(({ kind }) => !TROUBLE_KINDS[kind].passes);
  const has = (...kinds: readonly string[]) => needs.some(({ kind }) => kinds.includes(kind));
  if (has('standstill')) return { tone: 'bad', words: verdicts.standstill };
  if (has('auth-refused')) return { tone: 'bad', words: verdicts.refused };
  if (needs.some(isUnreachable)) return { tone: 'bad', words: verdicts.interrupted };
  const stops = needs.filter((one) => one.kind === 'area-stopped');
  if (stops.length > 0 && stops.every(({ pausedUntil }) => pausedUntil !== null))
    return { tone: 'warn', words: verdicts.paused };
  if (has('area-stopped')) return { tone: 'bad', words: verdicts.stopped };
  if (needs.length > 0) {
    const severe = has('held', 'push-held', 'failed', 'run-failed');
    const words =
      needs.length === 1 ? verdicts.attentionOne : verdicts.attention(format.number(needs.length));
    return { tone: severe ? 'bad' : 'warn', words };
  }
  if (entities.every(({ health }) => health === 'new')) return { tone: 'quiet', words: verdicts.new };
  if (entities.some(({ health }) => health === 'sending')) return { tone: 'busy', words: verdicts.sending };
  return { tone: 'good', words: verdicts.fine };
}
