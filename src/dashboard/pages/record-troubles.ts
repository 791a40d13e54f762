import { html } from 'hono/html';
import type { EntityName, RecordStatus } from '../../domain/names.js';
import type { Reason } from '../../domain/reason.js';
import { TROUBLE_TEXTS } from '../../domain/trouble/describe-trouble.js';
import type { TroubleOf } from '../../domain/trouble/trouble.js';
import { dataTable, foreign, type TableColumn } from './elements.js';
import { listLink, recordLink } from './links.js';
import type { Markup, Page } from './page.js';
import { keyLinks } from './sample-keys.js';

type RecordTrouble = TroubleOf<'rejected' | 'invalid' | 'unmapped' | 'blocked' | 'deferred'>;

/** Records that need your action, by reason. */
export function recordDetails(page: Page, trouble: RecordTrouble, title: string): Markup {
  const { entity } = trouble.subject;
  const number = page.format.number(trouble.count ?? 0);
  switch (trouble.kind) {
    case 'rejected':
      return html`${reasonTable(page, trouble, title, false)} ${all(page, entity, 'rejected', number)}`;
    case 'invalid':
      return html`${reasonTable(page, trouble, title, true)} ${further(page, trouble.leftOut)}
      ${all(page, entity, 'invalid', null)}`;
    case 'unmapped':
      return html`${reasonTable(page, trouble, title, true)} ${further(page, trouble.leftOut)}`;
    case 'blocked':
      return html`${blockedList(page, trouble)} ${all(page, entity, 'waiting', null)}`;
    case 'deferred':
      return all(page, entity, 'deferred', number);
  }
}

/** Link to all records of that status. `number`: how many; null: not known. */
function all({ texts }: Page, entity: EntityName, status: RecordStatus, number: string | null): Markup {
  const text = number === null ? texts.showList(texts.statusNames[status]) : texts.showAll(number);
  return html`<p><a href="${listLink(entity, status)}">${text}</a></p>`;
}

/** Reasons that the table leaves out. */
function further({ texts, format }: Page, count: number): Markup {
  return count === 0 ? html`` : html`<p class="muted">${texts.furtherReasons(format.number(count))}</p>`;
}

/** One line for each reason. `byField`: each reason is about one field. */
function reasonTable(
  page: Page,
  { subject: { entity }, reasons }: TroubleOf<'rejected' | 'invalid' | 'unmapped'>,
  caption: string,
  byField: boolean,
): Markup {
  const { texts, format } = page;
  const columns: readonly TableColumn[] = [
    ...(byField ? [{ name: texts.field }] : []),
    { name: byField ? texts.whatIsWrong : texts.reason, long: true },
    { name: texts.recordCount, number: true },
    { name: texts.samples, long: true },
  ];
  return dataTable(
    caption,
    columns,
    reasons.map((reason) => [
      ...(byField ? [reason.field ?? ''] : []),
      byField ? html`${wrong(page, reason)}${following(page, reason)}` : foreign(page, reason.message),
      format.number(reason.count),
      keyLinks(entity, reason.sampleKeys),
    ]),
  );
}

/** Children that wait for the records. */
function following({ texts, format }: Page, { follows = [] }: Reason): Markup {
  return html`${follows.map(
    ({ entity, count }) =>
      html` <span class="line muted"
        >${texts.waitForThese(format.number(count), texts.entityName(entity))}</span
      >`,
  )}`;
}

/** The text of the code in the language of the page, then the English message with the details. */
function wrong(page: Page, { code, message }: Reason): Markup {
  if (page.language === 'en') return html`${message}`;
  return html`<span
    >${page.texts.issueCodes[code]} <span class="line muted" lang="en">${message}</span></span
  >`;
}

function blockedList(
  { texts, language }: Page,
  { subject: { entity }, parent, records }: TroubleOf<'blocked'>,
): Markup {
  const { parentAbsent, parentBlocked } = TROUBLE_TEXTS[language];
  const parents = texts.entityName(parent);
  const why = (parentKey: string | null) =>
    parentKey === null
      ? parentAbsent(parents)
      : html`${parentBlocked(parents)}
          <a class="key" href="${recordLink(parent, parentKey)}">${parentKey}</a>`;
  return html`<ul class="samples">
    ${records.map(
      ({ key, parentKey }) =>
        html`<li><a class="key" href="${recordLink(entity, key)}">${key}</a>: ${why(parentKey)}</li>`,
    )}
  </ul>`;
}
