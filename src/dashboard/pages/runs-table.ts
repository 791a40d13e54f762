import { html } from 'hono/html';
import { isUnread } from '../../domain/trouble/is-unread.js';
import { codeText } from '../../domain/trouble/text/code-text.js';
import { TROUBLE_TEXTS } from '../../domain/trouble/text/trouble-texts.js';
import type { ListedRun } from '../../ports/runs.js';
import { badge, dataTable, dateTime, foreign, type Tone } from './elements.js';
import { runLink } from './links.js';
import type { Markup, Page } from './page.js';

const TONES: Readonly<Record<string, Tone>> = {
  complete: 'good',
  partial: 'busy',
  held: 'bad',
  aborted: 'warn',
  failed: 'bad',
};

/** The last runs, the latest first, with what they read. The chart shows what was sent. */
export function runsTable(page: Page, runs: readonly ListedRun[]): Markup {
  const { texts, format } = page;
  if (runs.length === 0) return html`<p class="muted">${texts.runsNothing}</p>`;
  return dataTable(
    texts.runs,
    [
      { name: texts.began },
      { name: texts.trigger },
      { name: texts.outcome },
      { name: texts.took, number: true },
      { name: texts.read, number: true },
      { name: texts.isNew, number: true },
      { name: texts.changed, number: true },
      { name: texts.vanished, number: true },
      { name: texts.invalid, number: true },
    ],
    runs.map((run) => {
      const reports = Object.values(run.entities).filter(({ error }) => !isUnread(error));
      const sum = (name: 'read' | 'new' | 'changed' | 'vanished' | 'invalid') =>
        reports.length === 0 && Object.keys(run.entities).length > 0
          ? name === 'read'
            ? texts.notRead
            : '–'
          : format.number(reports.reduce((total, report) => total + report[name], 0));
      return [
        html`<a href="${runLink(run.runId)}">${dateTime(page, run.startedAt)}</a>`,
        texts.triggers[run.trigger],
        outcome(page, run),
        run.finishedAt ? format.span(run.finishedAt.getTime() - run.startedAt.getTime()) : '–',
        sum('read'),
        sum('new'),
        sum('changed'),
        sum('vanished'),
        sum('invalid'),
      ];
    }),
  );
}

function outcome(page: Page, { outcome: word, exitCode, error, entities }: ListedRun): Markup {
  const { texts } = page;
  if (word === null) return badge('busy', texts.underWay);
  const known = word in texts.outcomes ? texts.outcomes[word as keyof typeof texts.outcomes] : word;
  // An area's or a source's error is on each of its entities; the table shows it once.
  const errors = new Map(
    [error, ...Object.values(entities).map((report) => report.error)].flatMap((one) =>
      one
        ? [[`${one.code}: ${one.message}`, codeText(TROUBLE_TEXTS[page.language].errorCodes, one.code)]]
        : [],
    ),
  );
  return html`${badge(TONES[word] ?? 'quiet', known)}
  ${exitCode ? html`<span class="muted">${texts.exitCode(String(exitCode))}</span>` : ''}
  ${[...errors].map(
    ([text, meaning]) =>
      html`<span class="error">${page.language === 'en' ? '' : meaning} ${foreign(page, text)}</span>`,
  )}`;
}
