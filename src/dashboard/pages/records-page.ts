import { html } from 'hono/html';
import type { RecordCount, RecordPage } from '../../ports/record-lists.js';
import type { ListQuery } from '../list-query.js';
import { retry } from './buttons.js';
import { layout } from './layout.js';
import { listLink } from './links.js';
import { listChoice } from './list-choice.js';
import { listTable } from './list-table.js';
import type { Markup, Page } from './page.js';
import { selectionForm } from './selection-form.js';

export interface RecordsPageOptions {
  readonly query: ListQuery;
  readonly found: RecordPage;
  /** Most records of a page. */
  readonly limit: number;
  /** How many there are of that status; null: it was searched, so that is not known. */
  readonly count: RecordCount | null;
  readonly now: Date;
  readonly message: string | null;
}

/** Records of an entity, page by page. Pure. */
export function recordsPage(page: Page, options: RecordsPageOptions): Markup {
  const { texts, format } = page;
  const { query, found, limit, count, now, message } = options;
  const { entity, status } = query;
  const { records, next } = found;
  const title = texts.recordsTitle(
    texts.entityName(entity),
    status === null ? texts.allRecords : texts.statusNames[status],
  );
  // None found among those that were looked at says nothing.
  const known = count === null || (count.more && count.value === 0) ? null : count;
  const number = known && (known.more ? texts.atLeast : String)(format.number(known.value));
  const main = html`<h1>${title} ${number === null ? '' : html`<span class="muted">${number}</span>`}</h1>
    ${status === null ? '' : html`<p>${texts.statusMeanings[status]}</p>`} ${listChoice(page, query)}
    ${
      (status === 'rejected' || status === 'deferred') && count !== null && count.value > 0
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
    <nav class="pages">
      ${
        query.after === null
          ? ''
          : html`<a href="${listLink(entity, status, { ...query, after: null, selected: false })}"
              >${texts.firstPage}</a
            >`
      }
      ${
        next === null
          ? ''
          : html`<a href="${listLink(entity, status, { ...query, after: next, selected: false })}"
              >${records.length < limit ? texts.searchOn : texts.next}</a
            >`
      }
      <a href="/">${texts.back}</a>
    </nav>`;
  // A search is expensive, and a selection would be ticked again.
  const live = query.search === null && query.reason === null && !query.selected;
  return layout(page, { title, main, message, live });
}
