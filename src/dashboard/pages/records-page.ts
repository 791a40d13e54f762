import { html } from 'hono/html';
import { type EntityName, RECORD_STATUSES } from '../../core/domain/names.js';
import { shownError } from '../../core/entities/index.js';
import type { ListedRecord, RecordCount, RecordPage } from '../../features/look/record-lists.js';
import {
  actionForm,
  askedForm,
  dataTable,
  inEnglish,
  issueInWords,
  type Markup,
  moment,
  type Page,
  pagesNav,
  retry,
  selectField,
  statusName,
} from './elements.js';
import { layout } from './layout.js';
import {
  link,
  listLink,
  type ListOrder,
  type ListQuery,
  ORDERS,
  recordLink,
  RECORDS_CSV_PATH,
} from './links.js';
import { stateOf } from './record-page.js';

interface RecordsPageOptions {
  readonly query: ListQuery;
  readonly found: RecordPage;
  readonly limit: number;
  /** How many match, as far as they were counted; null: it is not known. */
  readonly count: RecordCount | null;
  readonly now: Date;
  readonly message: string | null;
}

export function recordsPage(page: Page, options: RecordsPageOptions): Markup {
  const { texts, format } = page;
  const { query, found, limit, count, now, message } = options;
  const { entity, status } = query;
  const { records, next } = found;
  const title = texts.recordsTitle(
    texts.entityName(entity),
    status === null ? texts.allRecords : statusName(page, entity, status),
  );
  const placeIn = (after: ListQuery['after']) =>
    listLink(entity, status, { ...query, after, selected: false });
  // None found among those that were looked at says nothing.
  const known = count === null || (count.more && count.value === 0) ? null : count;
  const number = known && (known.more ? texts.atLeast : String)(format.number(known.value));
  const main = html`<h1>${title} ${number === null ? '' : html`<span class="muted">${number}</span>`}</h1>
    ${status === null ? '' : html`<p>${texts.statusMeanings[status]}</p>`} ${listChoice(page, query)}
    ${
      query.search === null &&
      query.reason === null &&
      (status === 'rejected' || status === 'deferred') &&
      count !== null &&
      count.value > 0
        ? html`<div class="buttons">${retry(page, entity, status, number ?? '')}</div>`
        : ''
    }
    <section id="list" data-live aria-label="${title}">
      ${
        records.length === 0
          ? html`<p class="muted">${next === null ? texts.recordsNothing : texts.recordsNotYet}</p>`
          : selectionForm(page, query, listTable(page, query, records, { caption: title, now }))
      }
      ${
        records.length > 0 && records.length < limit && next !== null
          ? html`<p class="muted">${texts.recordsNotAll}</p>`
          : ''
      }
    </section>
    ${matchingPart(page, query, known, number ?? '')}
    ${pagesNav(
      page,
      [query.after === null ? null : placeIn(null), texts.firstPage],
      [next === null ? null : placeIn(next), records.length < limit ? texts.searchOn : texts.next],
    )}`;
  // A search is expensive, the source names what is invalid, and a selection would be ticked again.
  const live = query.search === null && query.reason === null && status !== 'invalid' && !query.selected;
  return layout(page, { title, main, message, live });
}

function listTable(
  page: Page,
  { entity, status, selected }: ListQuery,
  records: readonly ListedRecord[],
  { caption, now }: { readonly caption: string; readonly now: Date },
): Markup {
  const { texts } = page;
  const childs = records.some(({ parentKey }) => parentKey !== null);
  return dataTable(
    caption,
    [
      { name: texts.key },
      { name: texts.recordTitle },
      ...(childs ? [{ name: texts.parent }] : []),
      ...(status === null ? [{ name: texts.status }] : []),
      { name: texts.detail },
      { name: texts.attempted },
    ],
    records.map((record) => [
      html`<span class="pick"
        >${
          page.mayAct
            ? html`<input
                type="checkbox"
                name="key"
                value="${record.key}"
                aria-label="${texts.selectOne(record.key)}"
                ${selected ? html`checked` : ''}
              />`
            : ''
        }<a class="key" href="${recordLink(entity, record.key)}">${record.key}</a></span
      >`,
      record.title ?? html`<span class="muted">–</span>`,
      ...(childs ? [record.parentTitle ?? record.parentKey ?? html`<span class="muted">–</span>`] : []),
      ...(status === null ? [statusName(page, entity, record.status)] : []),
      detail(page, entity, record, now),
      moment(page, record.attemptedAt, now),
    ]),
  );
}

function detail(page: Page, entity: EntityName, record: ListedRecord, now: Date): Markup {
  const { texts, format } = page;
  const error = shownError(entity, record.lastError, record.lastStatusCode);
  const lines = [
    ...record.issues.map((issue) => html`${issueInWords(page, entity, issue)}`),
    ...(record.status === 'waiting' && record.parentKey !== null
      ? [html`${texts.waitsFor}: ${record.parentKey}`]
      : []),
    ...(record.expiredOn === null ? [] : [html`${texts.expiredOn(record.expiredOn)}`]),
    ...(record.issues.length === 0 && error !== null ? [inEnglish(page, error)] : []),
    ...(record.atPlatform === null ? [] : [html`${texts.atPlatform}: ${stateOf(page, record.atPlatform)}`]),
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

function listChoice({ texts, entities }: Page, query: ListQuery): Markup {
  return html`<form class="choice" action="/records" method="get">
    ${selectField(
      texts.entity,
      'entity',
      query.entity,
      entities.map((name) => [name, texts.entityName(name)]),
    )}
    ${selectField(texts.status, 'status', query.status ?? '', [
      ['', texts.anyStatus],
      ...RECORD_STATUSES.toReversed().map((name) => [name, texts.statusNames[name]] as const),
    ])}
    ${input(texts.findContaining, 'find', query.search)}
    ${input(texts.reasonContaining, 'reason', query.reason)}
    ${selectField(
      texts.order,
      'order',
      query.order,
      (Object.keys(ORDERS) as ListOrder[]).map((name) => [name, texts.orders[name]]),
    )}
    <button type="submit">${texts.show}</button>
  </form>`;
}

function input(label: string, name: string, value: string | null): Markup {
  return html`<label
    ><span>${label}</span>
    <input name="${name}" maxlength="200" autocomplete="off" spellcheck="false" value="${value ?? ''}"
  /></label>`;
}

/** A list whose selected records are sent again or retried, after a question. Works without scripts. */
function selectionForm(page: Page, query: ListQuery, list: Markup): Markup {
  const { texts } = page;
  const { entity, status } = query;
  if (!page.mayAct) return html`<div class="card">${list}</div>`;
  const retriable = status === null || status === 'rejected' || status === 'deferred';
  // What cannot be sent is only read again.
  const [act, opener, sure, yes] = isUnsendable(status)
    ? (['check', texts.checkSelected, texts.checkSure, texts.checkYes] as const)
    : (['resync', texts.resyncSelected, texts.resyncSelectedSure, texts.resyncYes] as const);
  const hidden = Object.entries({ form: page.formToken, back: page.path, entity });
  // The Enter key presses the first button of a form that is not disabled: one that does nothing, because a question
  // must come first.
  return html`<form method="post" action="/actions/selected">
    <button type="submit" hidden></button>
    ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <div class="card">${list}</div>
    <p class="pages">
      <a href="${listLink(entity, status, { ...query, selected: !query.selected })}"
        >${query.selected ? texts.selectNone : texts.selectAll}</a
      >
    </p>
    <div class="buttons bar">
      ${retriable ? asked('retry', texts.retrySelected, texts.retrySelectedSure, texts.retryYes) : ''}
      ${asked(act, opener, sure, yes)}
    </div>
  </form>`;
}

/** Such a record is only read again. */
const isUnsendable = (status: ListQuery['status']) => status === 'invalid' || status === 'vanished';

/** What can be done with all that match the filters, also beyond this page. */
function matchingPart(page: Page, query: ListQuery, count: RecordCount | null, number: string): Markup {
  const { texts } = page;
  const { entity, status, search, reason } = query;
  if (count === null || count.value === 0) return html``;
  const fields = { entity, status: status ?? '', find: search ?? '', reason: reason ?? '' };
  const sure = isUnsendable(status) ? texts.checkSure : texts.matchingSure(number, texts.entityName(entity));
  const button = (act: 'retry' | 'resync' | 'check', opener: string, yes: string) =>
    askedForm(opener, sure, actionForm(page, 'matching', { ...fields, act }, yes, 'primary'));
  // Of others a retry would take only some.
  const retriable = status === 'rejected' || status === 'deferred';
  const isFiltered = search !== null || reason !== null;
  return html`<div class="buttons">
    ${
      isFiltered && page.mayAct
        ? html`${retriable ? button('retry', texts.retryMatching(number), texts.retryYes) : ''}
          ${
            isUnsendable(status)
              ? button('check', texts.checkMatching(number), texts.checkYes)
              : button('resync', texts.resyncMatching(number), texts.resyncYes)
          }`
        : ''
    }
    <a href="${link(RECORDS_CSV_PATH, { entity, status, find: search, reason })}">${texts.matchingCsv}</a>
  </div>`;
}

function asked(act: 'retry' | 'resync' | 'check', opener: string, question: string, yes: string): Markup {
  return askedForm(
    opener,
    question,
    html`<button class="primary" type="submit" name="act" value="${act}">${yes}</button>`,
  );
}
