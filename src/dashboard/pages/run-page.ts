import { html } from 'hono/html';
import { platformTimestamp } from '../../core/contract/time.js';
import { withoutStatus } from '../../core/domain/reply/reply.js';
import type { RecordEvent } from '../../features/report/report.js';
import type { Delivery, DeliveryOutcome } from '../../core/domain/delivery.js';
import { codeText } from '../../features/troubles/consequences.js';
import { TROUBLE_TEXTS } from '../../features/troubles/describe-trouble.js';
import type { DeliveryPage } from '../../features/report/deliveries.js';
import type { ListedRun } from '../../core/ledger/runs.js';
import { type RunLine, sumRun } from '../read-overview.js';
import {
  badge,
  countOf,
  dataTable,
  dateTime,
  inEnglish,
  type Markup,
  type Page,
  pagesNav,
  selectField,
  type TableRow,
  type Tone,
} from './elements.js';
import { layout } from './layout.js';
import { recordLink, runLink, RUNS_PATH, runsLink, type RunsQuery } from './links.js';

/** Outcomes that are stored, as the filter lists them. */
export const FILTERED_OUTCOMES = ['complete', 'partial', 'held', 'aborted', 'failed'] as const;

interface RunsPageOptions {
  readonly query: RunsQuery;
  readonly lines: readonly RunLine[];
  readonly further: boolean;
}

export function runsPage(page: Page, { query, lines, further }: RunsPageOptions): Markup {
  const { texts } = page;
  const { outcome, all, before } = query;
  const last = lines.at(-1)?.at(-1);
  const main = html`<h1>${texts.menuRuns}</h1>
    <p>${texts.runsMeaning}</p>
    <form class="choice" action="${RUNS_PATH}" method="get">
      ${selectField(texts.outcome, 'outcome', outcome ?? '', [
        ['', texts.everyOutcome],
        ...FILTERED_OUTCOMES.map((one) => [one, texts.outcomes[one]] as const),
      ])}
      <label class="check"
        ><input type="checkbox" name="quiet" value="show" ${all ? html`checked` : ''} />
        ${texts.showQuiet}</label
      >
      <button type="submit">${texts.show}</button>
    </form>
    <section id="list" data-live aria-label="${texts.menuRuns}">
      <div class="card">${runsTable(page, lines, query)}</div>
    </section>
    ${pagesNav(
      page,
      [before === null ? null : runsLink({ ...query, before: null }), texts.firstPage],
      [further && last ? runsLink({ ...query, before: last.runId }) : null, texts.olderRuns],
    )}`;
  // Only the first page changes.
  return layout(page, { title: texts.menuRuns, main, live: before === null });
}

interface RunPageOptions {
  readonly run: ListedRun;
  readonly deliveries: DeliveryPage;
  /** Only these are shown; null: all. */
  readonly outcome: DeliveryOutcome | null;
  readonly first: boolean;
}

/** What a run found and what was sent for it: which records, how the platform answered, and why. */
export function runPage(page: Page, { run, deliveries, outcome, first }: RunPageOptions): Markup {
  const { texts, format } = page;
  const { report } = texts;
  const title = report.run(format.dateTime(run.startedAt));
  const main = html`<h1>${title}</h1>
    <div class="card">${runsTable(page, [[run]], { outcome: null, all: false, before: null })}</div>
    <h2>${report.ofRun}</h2>
    <p class="muted">${report.ofRunHint}</p>
    <form class="choice" action="${runLink(run.runId)}" method="get">
      ${selectField(texts.outcome, 'outcome', outcome ?? '', [
        ['', report.allEntities],
        ...Object.entries(report.outcomes),
      ])}
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
    ${pagesNav(
      page,
      [first ? null : runLink(run.runId, { outcome }), texts.firstPage],
      [deliveries.next && runLink(run.runId, { outcome, after: deliveries.next }), texts.next],
      ['/report', report.title],
    )}`;
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

const TONES: Readonly<Record<string, Tone>> = {
  complete: 'good',
  partial: 'busy',
  held: 'bad',
  aborted: 'warn',
  failed: 'bad',
};

/** What came of a run, in a few words: `3 new, 2 changed, 5 accepted`. */
export function runText({ texts, format }: Page, run: ListedRun): string {
  if (run.finishedAt === null) return texts.underWay;
  const { counts, unread } = sumRun(run);
  const names = [['new', texts.isNew], ...WORTH.map((name) => [name, texts[name]] as const)] as const;
  const parts = names.flatMap(([name, word]) =>
    counts[name] ? [`${format.number(counts[name])} ${word.toLowerCase()}`] : [],
  );
  const ended =
    run.outcome === 'complete' || run.outcome === 'partial' ? [] : [outcomeText(texts, run.outcome)];
  const away = counts.read === null && unread.length > 0 ? [texts.notRead] : [];
  return [...ended, ...away, ...parts].join(', ') || texts.nothingChanged;
}

const WORTH = ['changed', 'vanished', 'accepted', 'rejected', 'deferred'] as const;

/** Runs, the latest first: when, how they ended, what they read and sent. `query`: where the list begins. */
export function runsTable(page: Page, lines: readonly RunLine[], query: RunsQuery): Markup {
  const { texts } = page;
  if (lines.length === 0) {
    const filtered = query.outcome !== null || query.before !== null;
    return html`<p class="muted">${filtered ? texts.runsNoMatch : texts.runsNothing}</p>`;
  }
  const number = (name: string) => ({ name, number: true }) as const;
  return dataTable(
    texts.runs,
    [
      { name: texts.began },
      { name: texts.outcome },
      ...[texts.read, texts.isNew, texts.changed, texts.vanished, texts.invalid].map(number),
      ...[texts.sent, texts.accepted, texts.rejected, texts.deferred, texts.pending].map(number),
    ],
    lines.map((line, index) =>
      line.length === 1
        ? runRow(page, line[0])
        : quietRunsRow(page, line, { ...query, before: lines[index - 1]?.at(-1)?.runId ?? query.before }),
    ),
  );
}

function runRow(page: Page, run: ListedRun): TableRow {
  const { texts, format } = page;
  const { counts, unread } = sumRun(run);
  const took = run.finishedAt && format.span(run.finishedAt.getTime() - run.startedAt.getTime());
  const notes = errors(page, run);
  if (unread.length > 0)
    notes.push(
      html`<span class="line">${texts.notReadEntities(unread.map(texts.entityName).join(', '))}</span>`,
    );
  const nothingRead = counts.read === null && unread.length > 0;
  return {
    cells: [
      html`<a href="${runLink(run.runId)}">${dateTime(page, run.startedAt)}</a>
        ${detail(texts.triggers[run.trigger])}`,
      html`${outcomeBadge(page, run.outcome)} ${exitCode(page, run)} ${took === null ? '' : detail(took)}`,
      nothingRead ? html`<span class="muted">${texts.notRead}</span>` : countOf(page, counts.read),
      ...[counts.new, counts.changed].map((count) => countOf(page, count)),
      html`${countOf(page, counts.vanished)}${counts.expired ? detail(`${format.number(counts.expired)} ${texts.expired}`) : ''}`,
      countOf(page, counts.invalid),
      ...([counts.sent, counts.accepted, counts.rejected, counts.deferred, counts.pending] as const).map(
        (count) => countOf(page, count),
      ),
    ],
    note: notes.length > 0 ? html`${notes}` : null,
  };
}

/** One line for all of them; its link shows them one by one. */
function quietRunsRow(page: Page, runs: RunLine, { outcome, before }: RunsQuery): TableRow {
  const { texts, format } = page;
  const [latest] = runs;
  const earliest = runs.at(-1) ?? latest;
  const link = runsLink({ outcome, all: true, before });
  return {
    cells: [
      html`${dateTime(page, earliest.startedAt)} –
        <span class="line">${dateTime(page, latest.startedAt)}</span>`,
      html`${outcomeBadge(page, latest.outcome)} ${exitCode(page, latest)}
        <a href="${link}">${texts.quietRuns(format.number(runs.length))}</a>
        <span class="muted">${texts.quietMeaning}</span>`,
    ],
    note: null,
  };
}

function outcomeBadge(page: Page, outcome: string | null): Markup {
  const { texts } = page;
  if (outcome === null) return badge('busy', texts.underWay);
  return badge(TONES[outcome] ?? 'quiet', outcomeText(texts, outcome));
}

function outcomeText({ outcomes }: Page['texts'], outcome: string | null): string {
  return outcome !== null && outcome in outcomes
    ? outcomes[outcome as keyof typeof outcomes]
    : (outcome ?? '');
}

function exitCode({ texts }: Page, { exitCode: code }: ListedRun): Markup | '' {
  return code ? detail(texts.exitCode(String(code))) : '';
}

/** A short line below, which stays in one piece. */
function detail(text: string): Markup {
  return html`<span class="line muted short">${text}</span>`;
}

/** An area's or a source's error is on each of its entities; the table shows it once. */
function errors(page: Page, { error, entities }: ListedRun): Markup[] {
  const found = new Map(
    [error, ...Object.values(entities).map((report) => report.error)].flatMap((one) =>
      one
        ? [[`${one.code}: ${one.message}`, codeText(TROUBLE_TEXTS[page.language].errorCodes, one.code)]]
        : [],
    ),
  );
  return [...found].map(
    ([text, meaning]) =>
      html`<span class="error">${page.language === 'en' ? '' : meaning} ${inEnglish(page, text)}</span>`,
  );
}

const OUTCOME_TONES: Readonly<Record<DeliveryOutcome, Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  deferred: 'warn',
  'handed-back': 'warn',
  seen: 'quiet',
  unknown: 'quiet',
};

interface ShownDelivery {
  readonly answeredAt: Date;
  readonly operation: string;
  /** What it did to the record; absent: the column of records says it. */
  readonly event?: RecordEvent;
  readonly outcome: DeliveryOutcome;
  readonly statusCode: number | null;
  readonly reason: string | null;
  readonly requestId: string;
  /** Absent: the whole table is about one record. */
  readonly record?: Markup;
}

/** Requests, one row each: when, what, and how the platform answered. */
export function deliveryTable(page: Page, caption: string, deliveries: readonly ShownDelivery[]): Markup {
  const { texts } = page;
  const { report } = texts;
  const withRecord = deliveries.some(({ record }) => record !== undefined);
  return dataTable(
    caption,
    [
      { name: report.answeredAt },
      ...(withRecord ? [{ name: report.record }] : []),
      { name: report.operation },
      { name: report.answer },
      { name: texts.requestId },
    ],
    deliveries.map((delivery) => [
      exactTime(page, delivery.answeredAt),
      ...(withRecord ? [delivery.record ?? ''] : []),
      delivery.event === undefined
        ? html`<code>${delivery.operation}</code>`
        : html`${report.events[delivery.event]} <code class="line muted">${delivery.operation}</code>`,
      answer(page, delivery),
      html`<code>${delivery.requestId}</code>`,
    ]),
  );
}

/** With year and seconds: it is a proof. */
function exactTime({ format }: Page, at: Date): Markup {
  return html`<time datetime="${at.toISOString()}"
    >${platformTimestamp(at.getTime(), format.timeZone)}</time
  >`;
}

function answer(page: Page, { outcome, statusCode, reason }: ShownDelivery): Markup {
  const { texts } = page;
  const said = withoutStatus(reason, statusCode);
  return html`${badge(OUTCOME_TONES[outcome], texts.report.outcomes[outcome])}
    <span class="muted short"
      >${statusCode === null ? texts.noReply : `${texts.httpStatus} ${statusCode}`}</span
    >
    ${said === null ? '' : html`<span class="line">${inEnglish(page, said)}</span>`}`;
}
