import { html } from 'hono/html';
import type { EntityName } from '../../domain/names.js';
import { issueLine, shownError } from '../../entities/index.js';
import type { ListedRecord } from '../../ports/record-lists.js';
import type { ListQuery } from '../list-query.js';
import { dataTable, foreign, moment } from './elements.js';
import { recordLink } from './links.js';
import type { Markup, Page } from './page.js';

/** The records of one page of a list, each with a box to select it. */
export function listTable(
  page: Page,
  { entity, status, selected }: ListQuery,
  records: readonly ListedRecord[],
  { caption, now }: { readonly caption: string; readonly now: Date },
): Markup {
  const { texts } = page;
  const titled = records.some(({ title }) => title !== null);
  return dataTable(
    caption,
    [
      { name: texts.key },
      ...(titled ? [{ name: texts.recordTitle }] : []),
      ...(status === null ? [{ name: texts.status }] : []),
      { name: texts.detail },
      { name: texts.attempted },
    ],
    records.map((record) => [
      html`<span class="pick"
        ><input
          type="checkbox"
          name="key"
          value="${record.key}"
          aria-label="${texts.selectOne(record.key)}"
          ${selected ? html`checked` : ''}
        /><a class="key" href="${recordLink(entity, record.key)}">${record.key}</a></span
      >`,
      ...(titled ? [record.title ?? html`<span class="muted">–</span>`] : []),
      ...(status === null ? [texts.statusNames[record.status]] : []),
      detail(page, entity, record, now),
      moment(page, record.attemptedAt, now),
    ]),
  );
}

function detail(page: Page, entity: EntityName, record: ListedRecord, now: Date): Markup {
  const { texts, format } = page;
  const error = shownError(entity, record.lastError, record.lastStatusCode);
  const lines = [
    ...record.issues.map((issue) => foreign(page, issueLine(entity, issue))),
    ...(record.status === 'waiting' && record.parentKey !== null
      ? [html`${texts.waitsFor}: ${record.parentKey}`]
      : []),
    ...(record.expiredOn === null ? [] : [html`${texts.expiredOn(record.expiredOn)}`]),
    ...(record.issues.length === 0 && error !== null ? [foreign(page, error)] : []),
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
