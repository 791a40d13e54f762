import { html } from 'hono/html';
import { platformTimestamp } from '../../contract/time.js';
import type { EntityName } from '../../domain/names.js';
import type { DeliveryParent, Report, ReportCounts } from '../../domain/report.js';
import { unknownLines } from '../text/format.js';
import { command, dataTable, facts, type Markup, type Page } from './elements.js';
import { layout } from './layout.js';
import { reportForm } from './reported-records-page.js';

interface ReportPageOptions {
  readonly report: Report;
  readonly entity: EntityName | null;
  /** Addresses of the platform, for the reader of a print. */
  readonly platforms: readonly string[];
  readonly now: Date;
}

/** What was reported between two days, to print and to hand over. */
export function reportPage(page: Page, { report, entity, platforms, now }: ReportPageOptions): Markup {
  const { texts, format } = page;
  const words = texts.report;
  const { from, to } = report;
  const rows = report.days.flatMap(({ day, rows: ofDay }) => ofDay.map((row) => ({ day, ...row })));
  const title = words.titleOf(from, to);
  const main = html`<h1>${title}</h1>
    <p>${words.explanation}</p>
    ${reportForm(page, { from, to, entity })}
    <div class="card">
      ${facts([
        [words.platform, html`${platforms.map((address) => html`<span class="line">${address}</span>`)}`],
        [
          words.madeAt,
          `${platformTimestamp(now.getTime(), format.timeZone)}. ${words.daysIn(format.timeZone)}`,
        ],
      ])}
    </div>
    <section class="card journal" aria-labelledby="totals">
      <h2 id="totals">${words.totals}</h2>
      ${dataTable(
        words.totals,
        [{ name: texts.entity }, ...columns(page)],
        Object.entries(report.entities).map(([name, counts]) => [
          texts.entityName(name),
          ...cells(page, counts),
        ]),
      )}
    </section>
    ${unknownLines(words, report.coverage, format.timeZone).map((line) => html`<p>${line}</p>`)}
    ${Object.entries(report.expired ?? {}).map(
      ([name, count]) =>
        html`<p class="muted">${texts.entityName(name)}: ${words.expired(format.number(count))}</p>`,
    )}
    ${Object.entries(report.takenDown ?? {}).map(
      ([name, count]) => html`<p>${texts.entityName(name)}: ${words.takenDown(format.number(count))}</p>`,
    )}
    <section class="card journal" aria-labelledby="days">
      <h2 id="days">${words.byDay}</h2>
      ${
        rows.length === 0
          ? html`<p class="muted">${words.nothing[report.coverage.known]}</p>`
          : dataTable(
              words.byDay,
              [{ name: words.day }, { name: words.parent }, ...columns(page)],
              rows.map((row) => [
                html`<span class="day">${row.day}</span>`,
                html`${parentText(row.parent)}
                  <span class="line muted">${texts.entityName(row.entity)}</span>`,
                ...cells(page, row),
              ]),
            )
      }
      ${
        report.leftOut > 0
          ? html`<p>
              ${words.more(format.number(report.leftOut))}
              ${command(page, 'report', '--from', from, '--to', to, '--csv')}
            </p>`
          : ''
      }
    </section>
    <nav class="pages"><a href="/">${texts.back}</a></nav>`;
  return layout(page, { title, main });
}

function columns({ texts }: Page) {
  const { accepted, isNew, rejected, report } = texts;
  return [accepted, isNew, report.updated, report.closed, report.deleted, rejected, report.failed].map(
    (name) => ({ name, number: true as const }),
  );
}

function cells({ format }: Page, counts: ReportCounts): string[] {
  const { accepted, created, closed, deleted, rejected, failed } = counts;
  const updated = accepted - created - closed - deleted;
  return [accepted, created, updated, closed, deleted, rejected, failed].map((count) => format.number(count));
}

function parentText(parent: DeliveryParent | null): Markup {
  if (parent === null) return html`<span class="muted">–</span>`;
  return html`${parent.name ?? ''} <span class="key">${parent.key}</span>`;
}
