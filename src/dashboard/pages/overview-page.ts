import { html } from 'hono/html';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import { causesOf } from '../../features/look/causes.js';
import { causeText } from '../../core/domain/trouble/stop-causes.js';
import { isUnreachable, TROUBLE_KINDS, type TroubleOf } from '../../core/domain/trouble/trouble.js';
import { chart, type ChartOptions } from '../chart.js';
import type { EntityHealth, HealthState, OverviewReading } from '../read-overview.js';
import {
  asOf,
  badge,
  command,
  dataTable,
  dateTime,
  type Markup,
  moment,
  type Page,
  runNow,
  type Tone,
} from './elements.js';
import { layout } from './layout.js';
import { INBOX_PATH, listLink, runLink, RUNS_PATH } from './links.js';
import { runText } from './run-page.js';
import { causeList } from './trouble-list.js';

interface OverviewPageOptions {
  readonly overview: OverviewReading;
  readonly ageMs: number;
  readonly answers: ChartOptions;
  /** What a button did; null: none was pressed. */
  readonly said: string | null;
}

/** The first page: the answer, what to do first, each entity on a line, and what happened. */
export function overviewPage(page: Page, { overview, ageMs, answers, said }: OverviewPageOptions): Markup {
  const { texts } = page;
  const { now, entities, troubles } = overview;
  const causes = causesOf(troubles);
  const [waits, needs] = [causes.filter(({ passes }) => passes), causes.filter(({ passes }) => !passes)];
  const { tone, words } = verdict(page, overview, needs.length);
  const main = html`<div id="verdict" data-live class="verdict">
      <h1>${badge(tone, words)}</h1>
      ${asOf(page, now, ageMs)}
      <div class="buttons">${runNow(page)}</div>
      <p class="standing">${standing(page, overview)}</p>
    </div>
    <div class="answer">
      ${livePart('health', texts.health, entityTable(page, entities, now))}
      ${
        isFirst(overview)
          ? livePart('needs', texts.first.title, firstSteps(page, overview))
          : livePart(
              'needs',
              texts.attention,
              needs.length === 0
                ? html`<p class="muted">${texts.attentionNothing}</p>`
                : causeList(page, needs, now),
            )
      }
      ${waits.length === 0 ? '' : livePart('waits', texts.waitsByItself, causeList(page, waits, now))}
    </div>
    ${livePart('chart', texts.chartTitle, chart(page, answers))}
    ${livePart('runs', texts.runs, lastRuns(page, overview))}
    ${livePart('workers', texts.workers, workersLine(page, overview))}`;
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

/** `43,003 of 47,461 vacancies and all 201 companies are in step. 4,458 need you. Read 40 s ago, next 19:30.` */
function standing({ texts, format, language }: Page, { entities, nextDue, now }: OverviewReading): string {
  const someOf = (name: EntityName, total: number) => texts.someOf(total, format.number(total), name);
  const parts = entities.flatMap(({ name, counts, state: { hold } }) => {
    const { synced, total } = sharesOf(counts);
    if (total === 0 || hold) return [];
    const of = someOf(name, total);
    return [synced === total ? texts.allOf(of, total) : texts.partOf(format.number(synced), of)];
  });
  const sum = (of: keyof Shares) => entities.reduce((all, { counts }) => all + sharesOf(counts)[of], 0);
  const said = (of: 'needs' | 'waits' | 'toSend') =>
    sum(of) === 0 ? [] : [texts.standing[of](format.number(sum(of)))];
  const read = entities.reduce<Date | null>(
    (latest, { state: { lastSweepAt: at } }) => (at && (!latest || at > latest) ? at : latest),
    null,
  );
  return [
    ...(parts.length === 0
      ? []
      : [texts.standing.inStep(new Intl.ListFormat(LOCALES[language]).format(parts), sum('total') === 1)]),
    ...entities.flatMap(({ name, counts, state: { hold } }) => {
      const { total } = sharesOf(counts);
      return hold ? [texts.standing.held(someOf(name, total), total)] : [];
    }),
    ...(['needs', 'waits', 'toSend'] as const).flatMap(said),
    ...(read === null
      ? []
      : [texts.standing.read(format.age(earlier(read, now), now), nextDue && format.soon(nextDue, now))]),
  ].join(' ');
}

/** A sweep may end while the page is read. */
const earlier = <T extends Date | null>(at: T, now: Date): T | Date => (at !== null && at > now ? now : at);

/** Without a comma before the last of a list. */
const LOCALES = { en: 'en-GB', id: 'id' } as const;

interface Shares {
  readonly synced: number;
  readonly toSend: number;
  readonly waits: number;
  readonly needs: number;
  /** Without those that have ended. */
  readonly total: number;
}

function sharesOf(counts: EntityHealth['counts']): Shares {
  const { synced, waiting: waits } = counts;
  const [toSend, needs] = [counts.pending + counts.deferred, counts.invalid + counts.rejected];
  return { synced, toSend, waits, needs, total: synced + toSend + waits + needs };
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
  problems: number,
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
  if (problems > 0) {
    const severe = has('held', 'push-held', 'failed', 'run-failed');
    const words = problems === 1 ? verdicts.attentionOne : verdicts.attention(format.number(problems));
    return { tone: severe ? 'bad' : 'warn', words };
  }
  if (entities.every(({ health }) => health === 'new')) return { tone: 'quiet', words: verdicts.new };
  if (entities.some(({ health }) => health === 'sending')) return { tone: 'busy', words: verdicts.sending };
  if (troubles.length > 0) return { tone: 'busy', words: texts.waitsByItself };
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

/** One line for each entity; every number leads to its records. */
function entityTable(page: Page, entities: readonly EntityHealth[], now: Date): Markup {
  const { texts, format } = page;
  const { columns } = texts;
  const number = (name: string) => ({ name, number: true }) as const;
  const notes = entities.flatMap(({ name, counts, state: { hold, foreign } }) =>
    [
      ...(hold && hold.counts.vanished > 0 ? [texts.heldBack(format.number(hold.counts.vanished))] : []),
      ...(counts.expired > 0 ? [texts.ofVanished(format.number(counts.expired))] : []),
      ...(foreign > 0 ? [texts.foreignRows(format.number(foreign))] : []),
    ].map((note) => `${texts.entityName(name)}: ${note}`),
  );
  return html`${dataTable(
    texts.health,
    [
      { name: texts.entity },
      { name: columns.bar },
      ...[columns.synced, columns.toSend, columns.waits, columns.needs, columns.closed].map(number),
      { name: columns.read },
    ],
    entities.map(({ name, counts, health, state }) => {
      const { toSend, needs } = sharesOf(counts);
      const cell = (count: number, status: RecordStatus) =>
        count === 0
          ? html`<span class="zero" title="0">·</span>`
          : html`<a class="${status}" href="${listLink(name, status)}">${format.number(count)}</a>`;
      return [
        html`<a href="${listLink(name, null)}">${texts.entityName(name)}</a>
          ${health === 'ok' ? '' : badge(TONES[health], texts.states[health])}`,
        bar(counts),
        cell(counts.synced, 'synced'),
        cell(toSend, counts.pending > 0 ? 'pending' : 'deferred'),
        cell(counts.waiting, 'waiting'),
        cell(needs, counts.invalid > 0 ? 'invalid' : 'rejected'),
        html`${cell(counts.vanished, 'vanished')}
        ${counts.vanished > 0 && page.leftOpen.includes(name) ? html`<span class="muted">${texts.leftSource}</span>` : ''}`,
        moment(page, earlier(state.lastSweepAt, now), now),
      ];
    }),
  )}
  ${notes.length === 0 ? '' : html`<p class="muted">${notes.join(' ')}</p>`}`;
}

const SHARES = ['synced', 'toSend', 'waits', 'needs'] as const;

/** How the records are divided; the numbers beside it say the same. */
function bar(counts: EntityHealth['counts']): Markup {
  const shares = sharesOf(counts);
  // A small share must stay visible.
  const wide = (name: (typeof SHARES)[number]) =>
    shares[name] === 0 ? 0 : Math.max(0.02, shares[name] / shares.total);
  const whole = SHARES.reduce((sum, name) => sum + wide(name), 0);
  let left = 0;
  return html`<svg class="shares" width="100%" height="8" aria-hidden="true">
    ${SHARES.filter((name) => shares[name] > 0).map((name) => {
      const [x, width] = [left, (100 * wide(name)) / whole];
      left += width;
      return html`<rect class="${name}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="8" />`;
    })}
  </svg>`;
}

/** Before the first sweep, in place of the problems: what will happen, when, and what to do. */
function firstSteps(page: Page, { now, runs: [lastRun], nextDue }: OverviewReading): Markup {
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

const RUNS = 3;

/** The latest runs, one line each: when, why, what came of it, how long it took. */
function lastRuns(page: Page, { runs }: OverviewReading): Markup {
  const { texts, format } = page;
  if (runs.length === 0) return html`<p class="muted">${texts.runsNothing}</p>`;
  return html`<ul class="lines">
    ${runs.slice(0, RUNS).map((run) => {
      const { finishedAt, startedAt, trigger } = run;
      const took = finishedAt === null ? '' : `, ${format.span(finishedAt.getTime() - startedAt.getTime())}`;
      return html`<li>
        <a href="${runLink(run.runId)}">${dateTime(page, startedAt)}</a> ${texts.triggers[trigger]}:
        ${runText(page, run)}${took}
      </li>`;
    })}
    <li><a href="${RUNS_PATH}">${texts.allRuns}</a></li>
  </ul>`;
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

/** Which processes work, in which version and how fast, and what came by webhook: numbers only, names are personal data. */
function workersLine(page: Page, overview: OverviewReading): Markup {
  const { leases, inbox, now, rates, refusedWebhooks } = overview;
  const { texts, format } = page;
  const standsBy = leases.length > 0 && leases.every(({ holder }) => holder !== page.holder);
  const parts = [
    ...leases.map(({ name, holder }) => `${texts.leases[name]}: ${holder}`),
    ...(leases.length === 0 ? [texts.workersNobody] : []),
    `${texts.versionName} ${page.version}`,
    ...rates.map(({ area, perSecond }) =>
      texts.rate(texts.areaNames[area], perSecond === null ? null : format.number(perSecond)),
    ),
    inbox === null
      ? texts.inboxOff
      : texts.inboxLine(
          inbox.lastReceivedAt && format.age(inbox.lastReceivedAt, now),
          format.number(inbox.lastDay),
        ),
    ...(refusedWebhooks ? [texts.callsRefused(format.number(refusedWebhooks))] : []),
  ];
  return html`${standsBy ? html`<p>${texts.standby(page.holder)}</p>` : ''}
    <p>
      ${parts.map((part, index) => `${index === 0 ? '' : ' · '}${part}`)}
      ${inbox === null ? '' : html` · <a href="${INBOX_PATH}">${texts.allApplications}</a>`}
    </p>
    ${learnedPart(page, overview)}`;
}
