import { html } from 'hono/html';
import { RECORD_STATUSES, type RecordStatus } from '../../core/domain/names.js';
import { causeText } from '../../core/domain/trouble/stop-causes.js';
import { isUnreachable, TROUBLE_KINDS, type TroubleOf } from '../../core/domain/trouble/trouble.js';
import type { InboxCounts } from '../../features/webhook/state/inbox.js';
import { chart, type ChartOptions } from '../chart.js';
import type { EntityHealth, HealthState, OverviewReading } from '../read-overview.js';
import {
  asOf,
  badge,
  command,
  facts,
  type Markup,
  moment,
  type Page,
  runNow,
  type Tone,
} from './elements.js';
import { layout } from './layout.js';
import { INBOX_PATH, listLink, RUNS_PATH } from './links.js';
import { runsTable } from './run-page.js';
import { troubleList } from './trouble-list.js';

interface OverviewPageOptions {
  readonly overview: OverviewReading;
  readonly ageMs: number;
  readonly answers: ChartOptions;
  /** What a button did; null: none was pressed. */
  readonly said: string | null;
}

/** The first page: the verdict, problems, health, answers, runs. */
export function overviewPage(page: Page, { overview, ageMs, answers, said }: OverviewPageOptions): Markup {
  const { texts } = page;
  const { now, entities, troubles, runs, inbox } = overview;
  const { tone, words } = verdict(page, overview);
  const main = html`<div id="verdict" data-live class="verdict">
      <h1>${badge(tone, words)}</h1>
      ${asOf(page, now, ageMs)}
    </div>
    ${
      isFirst(overview)
        ? livePart('needs', texts.first.title, firstSteps(page, overview))
        : livePart('needs', texts.attention, troubleList(page, troubles, now))
    }
    ${livePart(
      'health',
      texts.health,
      html`<ul class="cards">
        ${entities.map((entity) => entityCard(page, entity, now))}
      </ul>`,
    )}
    ${livePart('chart', texts.chartTitle, html`<div class="card">${chart(page, answers)}</div>`)}
    ${livePart(
      'runs',
      texts.runs,
      html`<div class="card">
        ${runsTable(page, runs, { outcome: null, all: false, before: null })}
        <p><a href="${RUNS_PATH}">${texts.allRuns}</a></p>
      </div>`,
    )}
    <div class="pair">
      ${livePart('workers', texts.workers, html`<div class="card">${workersPart(page, overview)}</div>`)}
      ${livePart(
        'inbox',
        texts.inbox,
        html`<div class="card">
          ${inboxPart(page, inbox, now)}
          <p><a href="${INBOX_PATH}">${texts.allApplications}</a></p>
        </div>`,
      )}
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

function livePart(id: string, title: string, content: Markup): Markup {
  return html`<section id="${id}" data-live aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

/** When the latest pause that the platform asked for ends; null: there is none. */
function pauseEnd({ troubles }: OverviewReading): Date | null {
  return troubles.reduce<Date | null>((latest, trouble) => {
    const until = trouble.kind === 'area-stopped' ? trouble.pausedUntil : null;
    return until !== null && (latest === null || until > latest) ? until : latest;
  }, null);
}

function isFirst({ entities, troubles }: OverviewReading): boolean {
  return troubles.length === 0 && entities.every(({ health }) => health === 'new');
}

function verdict(
  { texts, format, language }: Page,
  { troubles, entities }: OverviewReading,
): { tone: Tone; words: string } {
  const { verdicts } = texts;
  // Troubles that pass by themselves are listed, but need no action.
  const needs = troubles.filter(({ kind }) => !TROUBLE_KINDS[kind].passes);
  const has = (...kinds: readonly string[]) => needs.some(({ kind }) => kinds.includes(kind));
  if (has('standstill')) return { tone: 'bad', words: verdicts.standstill };
  const because = (stop: TroubleOf<'auth-refused' | 'area-stopped'>, otherwise: string) => {
    const words = causeText(stop.cause, language)?.says.replace(/\.$/, '') ?? otherwise;
    return { tone: 'bad', words } as const;
  };
  const refused = needs.find((one) => one.kind === 'auth-refused');
  if (refused) return because(refused, verdicts.refused);
  const silent = needs.find(isUnreachable);
  if (silent) return because(silent, verdicts.interrupted);
  const stops = needs.filter((one) => one.kind === 'area-stopped');
  if (stops.length > 0 && stops.every(({ pausedUntil }) => pausedUntil !== null))
    return { tone: 'warn', words: verdicts.paused };
  const [stopped] = stops;
  if (stopped) return because(stopped, verdicts.stopped);
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

const TONES: Readonly<Record<HealthState, Tone>> = {
  ok: 'good',
  sending: 'busy',
  attention: 'warn',
  stale: 'warn',
  held: 'bad',
  failed: 'bad',
  refused: 'bad',
  interrupted: 'bad',
  stopped: 'bad',
  new: 'quiet',
};

/** Synced records come first, records that need your action last. */
const ORDER: readonly RecordStatus[] = RECORD_STATUSES.toReversed();

/** One entity at a glance; every number leads to its records. */
function entityCard(page: Page, entity: EntityHealth, now: Date): Markup {
  const { texts, format } = page;
  const { name, counts, health, state } = entity;
  const total = ORDER.reduce((sum, status) => sum + counts[status], 0);
  return html`<li class="card entity">
    <h3>${texts.entityName(name)} ${badge(TONES[health], texts.states[health])}</h3>
    <p class="total">
      <a href="${listLink(name, null)}">${texts.recordsInAll(format.number(total))}</a>
    </p>
    ${state.hold && state.hold.counts.vanished > 0 ? html`<p class="muted">${texts.heldBack(format.number(state.hold.counts.vanished))}</p>` : ''}
    ${counts.expired > 0 ? html`<p class="muted">${texts.ofVanished(format.number(counts.expired))}</p>` : ''}
    ${state.foreign > 0 ? html`<p class="muted">${texts.foreignRows(format.number(state.foreign))}</p>` : ''}
    ${shares(counts, total)}
    <ul class="counts">
      ${ORDER.map((status) =>
        counts[status] === 0
          ? html`<li class="zero"><span class="count">0</span> ${texts.statusNames[status]}</li>`
          : html`<li class="${status}">
              <a href="${listLink(name, status)}"
                ><span class="count">${format.number(counts[status])}</span> ${texts.statusNames[status]}</a
              >
            </li>`,
      )}
    </ul>
    <dl class="times">
      <div>
        <dt>${texts.lastSuccess}</dt>
        <dd>${moment(page, state.lastSuccessAt, now)}</dd>
      </div>
      ${
        counts.oldestPendingAt
          ? html`<div>
              <dt>${texts.oldestPending}</dt>
              <dd>${moment(page, counts.oldestPendingAt, now)}</dd>
            </div>`
          : ''
      }
    </dl>
  </li>`;
}

/** How the records are divided, as a bar; the numbers beside it say the same. */
function shares(counts: EntityHealth['counts'], total: number): Markup {
  const width = 1000;
  let left = 0;
  const parts = ORDER.filter((status) => counts[status] > 0).map((status) => {
    const wide = Math.max(8, (counts[status] / total) * width);
    const x = left;
    left += wide;
    return html`<rect class="${status}" x="${x.toFixed(1)}" width="${wide.toFixed(1)}" height="8" />`;
  });
  return html`<svg
    class="shares"
    viewBox="0 0 ${Math.max(width, left).toFixed(0)} 8"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${parts}
  </svg>`;
}

/** Before the first sweep, in place of the problems: what will happen, when, and what to do. */
function firstSteps(page: Page, { now, lastRun, nextDue }: OverviewReading): Markup {
  const { texts, format } = page;
  const { first } = texts;
  const begun = lastRun?.finishedAt === null ? lastRun.startedAt : null;
  const when = begun
    ? first.underWay(format.age(begun, now))
    : nextDue
      ? first.due(format.age(nextDue, now), format.dateTime(nextDue))
      : first.notDue;
  return html`<div class="card">
    <p>${when}</p>
    <p class="muted">${first.explanation}</p>
    ${
      begun
        ? ''
        : html`<p class="hint"><strong>${texts.hint}:</strong> ${first.hint}</p>
            <p class="terminal">
              ${texts.orInTerminal}: ${command(page, 'plan')} ${command(page, 'config', 'check')}
            </p>
            <div class="buttons">${runNow(page)}</div>`
    }
  </div>`;
}

/** How many job applications arrived. Numbers only: names of applicants are personal data. */
function inboxPart(page: Page, inbox: InboxCounts | null, now: Date): Markup {
  const { texts, format } = page;
  if (inbox === null) return html`<p class="muted">${texts.inboxOff}</p>`;
  return facts([
    [texts.inboxLast, moment(page, inbox.lastReceivedAt, now)],
    [texts.inboxDay, format.number(inbox.lastDay)],
    [texts.inboxWeek, format.number(inbox.lastWeek)],
    [texts.inboxTotal, format.number(inbox.total)],
    [texts.inboxWithoutVacancy, format.number(inbox.withoutVacancy)],
    [texts.inboxUnrecognised, format.number(inbox.unrecognised)],
  ]);
}

/** Where the platform takes less than the setting allows, and what to set. */
function learnedPart({ texts, format }: Page, { learnedRates }: OverviewReading): Markup {
  const number = (rate: number | null) => (rate === null ? null : format.number(rate));
  return html`${learnedRates.map(
    ({ area, learned, ratePerSecond, suggested }) =>
      html`<p>
        ${texts.learnedRate(texts.areaNames[area], format.number(learned), number(ratePerSecond))}
        ${suggested === null ? '' : texts.suggestedRate(`platform.${area}.ratePerSecond`, String(suggested))}
      </p>`,
  )}`;
}

/** Which processes hold the leases, when the next run is due, and the button to run now. */
function workersPart(page: Page, overview: OverviewReading): Markup {
  const { leases, nextDue, now } = overview;
  const { texts, format } = page;
  const standsBy = leases.length > 0 && leases.every(({ holder }) => holder !== page.holder);
  return html`${standsBy ? html`<p>${texts.standby(page.holder)}</p>` : ''} ${learnedPart(page, overview)}
  ${facts([
    ...leases.map(
      ({ name, holder, secondsLeft }) =>
        [
          texts.leases[name],
          html`${holder}${holder === page.holder ? ` (${texts.thisProcess})` : ''}
            <span class="muted">${texts.leaseLeft(format.number(secondsLeft))}</span>`,
        ] as const,
    ),
    ...(leases.length === 0 ? [[texts.heldBy, texts.workersNobody] as const] : []),
    [
      texts.nextDue,
      nextDue
        ? html`${moment(page, nextDue, now)} <span class="muted">${format.dateTime(nextDue)}</span>`
        : texts.nextDueNone,
    ],
    [texts.versionName, page.version],
  ])}
  ${
    page.mayAct
      ? html`<div class="buttons">${runNow(page)}<span class="muted">${texts.runNowHint}</span></div>`
      : ''
  }`;
}
