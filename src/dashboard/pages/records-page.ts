import { html } from 'hono/html';
import type { EntityName } from '../../domain/entity-name.js';
import { RECORD_STATUSES, type RecordStatus } from '../../domain/record-status.js';
import type { ListedRecord } from '../../ports/record-lists.js';
import { issueLine } from '../issue-line.js';
import { dataTable, foreign, moment } from './elements.js';
import { layout } from './layout.js';
import { listLink, recordLink } from './links.js';
import { retry } from './buttons.js';
import type { Markup, Page } from './page.js';

export interface RecordsPageOptions {
  readonly entity: EntityName;
  readonly status: RecordStatus;
  /** The key before the first of the list; null: from the beginning. */
  readonly after: string | null;
  readonly records: readonly ListedRecord[];
  readonly further: boolean;
  /** How many there are of that status. */
  readonly count: number;
  readonly now: Date;
  readonly message: string | null;
}

/** Records of one status, page by page in the order of their keys. Pure. */
export function recordsPage(page: Page, options: RecordsPageOptions): Markup {
  const { texts, format } = page;
  const { entity, status, after, records, further, count, now, message } = options;
  const title = texts.recordsTitle(texts.entityName(entity), texts.statusNames[status]);
  const last = records.at(-1);
  const number = format.number(count);
  const main = html`<h1>${title} <span class="muted">${number}</span></h1>
    <p>${texts.statusMeanings[status]}</p>
    <form class="choice" action="/records" method="get">
      <label
        ><span>${texts.entity}</span>
        <select name="entity">
          ${page.entities.map((one) => option(one, texts.entityName(one), one === entity))}
        </select></label
      >
      <label
        ><span>${texts.status}</span>
        <select name="status">
          ${RECORD_STATUSES.toReversed().map((one) => option(one, texts.statusNames[one], one === status))}
        </select></label
      >
      <button type="submit">${texts.show}</button>
    </form>
    ${
      status === 'rejected' || (status === 'deferred' && count > 0)
        ? html`<div class="buttons">${count > 0 ? retry(page, entity, status, number) : ''}</div>`
        : ''
    }
    <section id="list" data-live aria-label="${title}">
      ${
        records.length === 0
          ? html`<p class="muted">${texts.recordsNothing}</p>`
          : html`<div class="card">
              ${dataTable(
                title,
                [
                  { name: texts.key, long: true },
                  { name: texts.detail, long: true },
                  { name: texts.attempted },
                ],
                records.map((record) => [
                  html`<a class="key" href="${recordLink(entity, record.key)}">${record.key}</a>`,
                  detail(page, entity, record, now),
                  moment(page, record.attemptedAt, now),
                ]),
              )}
            </div>`
      }
    </section>
    <nav class="pages">
      ${after !== null ? html`<a href="${listLink(entity, status)}">${texts.firstPage}</a>` : ''}
      ${further && last ? html`<a href="${listLink(entity, status, last.key)}">${texts.next}</a>` : ''}
      <a href="/">${texts.back}</a>
    </nav>`;
  return layout(page, { title, main, message, live: true });
}

function option(value: string, name: string, selected: boolean): Markup {
  return html`<option value="${value}" ${selected ? html`selected` : ''}>${name}</option>`;
}

function detail(page: Page, entity: EntityName, record: ListedRecord, now: Date): Markup {
  const { texts, format } = page;
  const lines = [
    ...record.issues.map((issue) => foreign(page, issueLine(entity, issue))),
    ...(record.status === 'waiting' && record.parentKey !== null
      ? [html`${texts.waitsFor}: ${record.parentKey}`]
      : []),
    ...(record.issues.length === 0 && record.lastError !== null ? [foreign(page, record.lastError)] : []),
    ...(record.status === 'deferred' && record.nextAttemptAt
      ? [html`${texts.nextAttempt}: ${format.age(record.nextAttemptAt, now)}`]
      : []),
    ...(record.status === 'synced' && record.acknowledgedAt
      ? [html`${texts.acknowledgedOn}: ${format.dateTime(record.acknowledgedAt)}`]
      : []),
  ];
  return lines.length === 0
    ? html`<span class="muted">–</span>`
    : html`${lines.map((line) => html`<span class="line">${line}</span>`)}`;
}
