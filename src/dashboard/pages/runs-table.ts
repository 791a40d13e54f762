import { html } from 'hono/html';
import { codeText } from '../../domain/trouble/consequences.js';
import { TROUBLE_TEXTS } from '../../domain/trouble/describe-trouble.js';
import type { ListedRun } from '../../ports/runs.js';
import type { RunLine } from '../fold-runs.js';
import { sumRun } from '../sum-run.js';
import { badge, countOf, dataTable, dateTime, foreign, type TableRow, type Tone } from './elements.js';
import { runLink, runsLink, type RunsQuery } from './links.js';
import type { Markup, Page } from './page.js';

const TONES: Readonly<Record<string, Tone>> = {
  complete: 'good',
  partial: 'busy',
  held: 'bad',
  aborted: 'warn',
  failed: 'bad',
};

/** Runs, the latest first: when, how they ended, what they read and sent. `query`: where the list begins. Pure. */
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
        ? ofRun(page, line[0])
        : ofQuietRuns(page, line, { ...query, before: lines[index - 1]?.at(-1)?.runId ?? query.before }),
    ),
  );
}

function ofRun(page: Page, run: ListedRun): TableRow {
  const { texts, format } = page;
  const { counts, unread } = sumRun(run);
  const took = run.finishedAt && format.span(run.finishedAt.getTime() - run.startedAt.getTime());
  const notes = [...errors(page, run), ...(unread.length > 0 ? [notRead(page, unread)] : [])];
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
function ofQuietRuns(page: Page, runs: RunLine, { outcome, before }: RunsQuery): TableRow {
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
  const known = outcome in texts.outcomes ? texts.outcomes[outcome as keyof typeof texts.outcomes] : outcome;
  return badge(TONES[outcome] ?? 'quiet', known);
}

function exitCode({ texts }: Page, { exitCode: code }: ListedRun): Markup | '' {
  return code ? detail(texts.exitCode(String(code))) : '';
}

/** A short line below, which stays in one piece. */
function detail(text: string): Markup {
  return html`<span class="line muted short">${text}</span>`;
}

function notRead({ texts }: Page, entities: readonly string[]): Markup {
  return html`<span class="line">${texts.notReadEntities(entities.map(texts.entityName).join(', '))}</span>`;
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
      html`<span class="error">${page.language === 'en' ? '' : meaning} ${foreign(page, text)}</span>`,
  );
}
