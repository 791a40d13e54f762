import { html } from 'hono/html';
import { platformTimestamp } from '../../contract/time.js';
import type { EntityName } from '../../domain/names.js';
import type { ReportedRecord } from '../../domain/record-report.js';
import type { JournalCoverage } from '../../domain/report.js';
import { clientIdOf, type RecordDays, type RecordsPage } from '../../sync/read-report.js';
import type { RunSettings } from '../../sync/run-context.js';
import { unknownLines } from '../text/format.js';
import { dataTable, facts, type Markup, type Page, selectField } from './elements.js';
import { layout } from './layout.js';
import { recordLink, REPORT_PATH, REPORTED_CSV_PATH, REPORTED_PATH, reportLink } from './links.js';

interface ReportedRecordsOptions {
  readonly days: RecordDays;
  /** Null: all. */
  readonly entity: EntityName | null;
  readonly found: RecordsPage;
  /** Whether the page begins with the first record. */
  readonly first: boolean;
  readonly coverage: JournalCoverage;
  readonly settings: Pick<RunSettings, 'areas'>;
  readonly now: Date;
}

/** Which records were reported between two days, when, and when they were closed: to print and to hand over. */
export function reportedRecordsPage(page: Page, options: ReportedRecordsOptions): Markup {
  const { texts, format } = page;
  const { days, entity, found, first, coverage, settings, now } = options;
  const { records, next } = found;
  const words = texts.report;
  const { from, to, company } = days;
  const title = words.recordsOf(from, to);
  const query = { from, to, entity, company };
  const clients = new Set(days.entities.flatMap((name) => clientIdOf(settings, name) ?? []));
  const platforms = Object.values(settings.areas).filter(({ clientId }) => clients.has(clientId));
  const main = html`<h1>${title}</h1>
    <p>${words.recordsExplanation}</p>
    ${reportForm(page, query, company ?? '')}
    <div class="card">
      ${facts([
        [
          words.platform,
          html`${platforms.map(
            ({ baseUrl, clientId }) =>
              html`<span class="line">${baseUrl}, ${words.clientId} <code>${clientId}</code></span>`,
          )}`,
        ],
        [
          words.madeAt,
          `${platformTimestamp(now.getTime(), format.timeZone)}. ${words.daysIn(format.timeZone)}`,
        ],
        ...(entity === null ? [] : [[texts.entity, texts.entityName(entity)] as const]),
        ...(company === null ? [] : [[words.companyContaining, company] as const]),
      ])}
    </div>
    ${unknownLines(words, coverage, format.timeZone).map((line) => html`<p>${line}</p>`)}
    ${
      records.some(({ reportedAtLatest }) => reportedAtLatest !== null)
        ? html`<p>${words.atLatestMeaning}</p>`
        : ''
    }
    <section class="card journal" aria-label="${title}">
      ${
        records.length === 0
          ? html`<p class="muted">
              ${company === null ? words.nothing[coverage.known] : words.noneOfCompany}
            </p>`
          : recordTable(page, title, records)
      }
      ${next === null && first ? '' : html`<p>${words.partOfList}</p>`}
    </section>
    <div class="buttons">
      <a class="button" href="${reportLink(REPORTED_CSV_PATH, query)}" download>${words.csv}</a>
    </div>
    <nav class="pages">
      ${first ? '' : html`<a href="${reportLink(REPORTED_PATH, query)}">${texts.firstPage}</a>`}
      ${
        next === null
          ? ''
          : html`<a href="${reportLink(REPORTED_PATH, { ...query, after: next })}">${texts.next}</a>`
      }
      <a href="/">${texts.back}</a>
    </nav>`;
  return layout(page, { title, main });
}

function recordTable(page: Page, caption: string, records: readonly ReportedRecord[]): Markup {
  const { texts, format } = page;
  const words = texts.report;
  // On paper it has two lines, and leaves the room to the names.
  const shown = (time: Date) => {
    const [day = '', clock = ''] = platformTimestamp(time.getTime(), format.timeZone).split(' ');
    const parts = html`<span class="short">${day}</span> <span class="short">${clock}</span>`;
    return html`<time class="parted" datetime="${time.toISOString()}">${parts}</time>`;
  };
  const none = html`<span class="muted">–</span>`;
  return dataTable(
    caption,
    [words.record, words.parent, words.reported, words.updated, words.closed, words.lastRequest].map(
      (name) => ({ name }),
    ),
    records.map((record) => [
      html`${record.title ?? ''} ${keyOf(page, record)}
        <span class="line muted">${texts.entityName(record.entity)}</span>`,
      record.parent === null || record.parent.entity === record.entity
        ? none
        : html`${record.parent.name ?? ''} <span class="key">${record.parent.key}</span>`,
      record.reportedAt !== null
        ? shown(record.reportedAt)
        : record.reportedAtLatest !== null
          ? html`${words.atLatest} ${shown(record.reportedAtLatest)}`
          : none,
      record.updatedAt === null
        ? none
        : html`${shown(record.updatedAt)}
            <span class="line muted">${words.updates(format.number(record.updates))}</span>`,
      record.closedAt === null && record.deletedAt === null
        ? none
        : html`${record.closedAt === null ? '' : shown(record.closedAt)}
          ${
            record.deletedAt === null
              ? ''
              : html`<span class="line">${words.deleted}: ${shown(record.deletedAt)}</span>`
          }`,
      html`${words.outcomes[record.lastOutcome]} ${shown(record.lastAt)}
        <span class="line"><code>${record.lastRequestId}</code></span>`,
    ]),
  );
}

/** An entity that is not configured any more has no pages. */
function keyOf({ entities }: Page, { entity, key }: ReportedRecord): Markup {
  return entities.includes(entity)
    ? html`<a class="key" href="${recordLink(entity, key)}">${key}</a>`
    : html`<span class="key">${key}</span>`;
}

/** The choice of a report, and the way to its other form. `company`: the text that is searched for; left out: by day. */
export function reportForm(
  page: Page,
  query: Omit<Parameters<typeof reportLink>[1], 'after'>,
  company?: string,
): Markup {
  const { texts } = page;
  const words = texts.report;
  const { from, to, entity } = query;
  const byRecord = company !== undefined;
  return html`<p class="buttons">
      <a href="${reportLink(byRecord ? REPORT_PATH : REPORTED_PATH, { from, to, entity })}"
        >${byRecord ? words.byDay : words.byRecord}</a
      >
    </p>
    <form class="choice" action="${byRecord ? REPORTED_PATH : REPORT_PATH}" method="get">
      <label><span>${words.from}</span><input type="date" name="from" required value="${from}" /></label>
      <label><span>${words.to}</span><input type="date" name="to" required value="${to}" /></label>
      ${selectField(texts.entity, 'entity', entity ?? '', [
        ['', words.allEntities],
        ...page.entities.map((one) => [one, texts.entityName(one)] as const),
      ])}
      ${
        byRecord
          ? html`<label
              ><span>${words.companyContaining}</span>
              <input name="company" maxlength="200" autocomplete="off" spellcheck="false" value="${company}"
            /></label>`
          : ''
      }
      <button type="submit">${texts.show}</button>
    </form>`;
}
