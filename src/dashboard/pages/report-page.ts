import { html } from 'hono/html';
import { platformTimestamp } from '../../core/contract/time.js';
import type { EntityName } from '../../core/domain/names.js';
import type { ReportedRecord } from '../../features/report/record-report.js';
import {
  countedAs,
  type DeliveryParent,
  type JournalCoverage,
  type Report,
  type ReportCounts,
} from '../../features/report/report.js';
import { clientIdOf, type RecordsPage, type ReportDays } from '../../features/report/read-report.js';
import type { RunSettings } from '../../core/context.js';
import { unknownLines } from '../text/format.js';
import { command, dataTable, facts, type Markup, type Page, pagesNav, selectField } from './elements.js';
import { layout } from './layout.js';
import { recordLink, REPORT_PATH, REPORTED_CSV_PATH, REPORTED_PATH, reportLink } from './links.js';

/*
 * What was reported between two days, by day or by record: to print and to hand over.
 */

interface ReportOptions {
  readonly days: ReportDays;
  /** Null: all. */
  readonly entity: EntityName | null;
  readonly settings: Pick<RunSettings, 'areas'>;
  readonly now: Date;
}

/** Requests by how the platform answered. */
export function reportPage(page: Page, options: ReportOptions & { readonly report: Report }): Markup {
  const { texts, format } = page;
  const { report, days, settings } = options;
  const words = texts.report;
  const { from, to } = days;
  const rows = report.days.flatMap(({ day, rows: ofDay }) => ofDay.map((row) => ({ day, ...row })));
  const addresses = new Set(Object.values(settings.areas).map(({ baseUrl }) => baseUrl));
  const totals = html`<section class="card journal" aria-labelledby="totals">
    <h2 id="totals">${words.totals}</h2>
    ${dataTable(
      words.totals,
      [{ name: texts.entity }, ...columns(page)],
      Object.entries(report.entities).map(([name, counts]) => [
        texts.entityName(name),
        ...cells(page, counts),
      ]),
    )}
  </section>`;
  const main = html`${Object.entries(report.expired ?? {}).map(
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
    </section>`;
  return frame(page, options, {
    title: words.titleOf(from, to),
    explanation: words.explanation,
    platforms: [...addresses].map((address) => html`${address}`),
    coverage: report.coverage,
    totals,
    main,
  });
}

function columns({ texts }: Page) {
  const { accepted, isNew, rejected, report } = texts;
  return [accepted, isNew, report.updated, report.closed, report.deleted, rejected, report.failed].map(
    (name) => ({ name, number: true as const }),
  );
}

function cells({ format }: Page, counts: ReportCounts): string[] {
  return countedAs(counts).map((count) => format.number(count));
}

function parentText(parent: DeliveryParent | null): Markup {
  if (parent === null) return html`<span class="muted">–</span>`;
  return html`${parent.name ?? ''} <span class="key">${parent.key}</span>`;
}

interface ReportedRecordsOptions extends ReportOptions {
  readonly found: RecordsPage;
  /** Whether the page begins with the first record. */
  readonly first: boolean;
  readonly coverage: JournalCoverage;
}

/** Which records were reported, when, and when they were closed. */
export function reportedRecordsPage(page: Page, options: ReportedRecordsOptions): Markup {
  const { texts } = page;
  const { days, entity, found, first, coverage, settings } = options;
  const { records, next } = found;
  const words = texts.report;
  const { from, to, company } = days;
  const title = words.recordsOf(from, to);
  const query = { from, to, entity, company };
  const clients = new Set(days.entities.flatMap((name) => clientIdOf(settings, name) ?? []));
  const platforms = Object.values(settings.areas).filter(({ clientId }) => clients.has(clientId));
  const main = html`${
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
    </div>`;
  return frame(page, options, {
    title,
    explanation: words.recordsExplanation,
    company: company ?? '',
    platforms: platforms.map(
      ({ baseUrl, clientId }) => html`${baseUrl}, ${words.clientId} <code>${clientId}</code>`,
    ),
    chosen: [
      ...(entity === null ? [] : [[texts.entity, texts.entityName(entity)] as const]),
      ...(company === null ? [] : [[words.companyContaining, company] as const]),
    ],
    coverage,
    main,
    pages: [
      [first ? null : reportLink(REPORTED_PATH, query), texts.firstPage],
      [next && reportLink(REPORTED_PATH, { ...query, after: next }), texts.next],
    ],
  });
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

interface Frame {
  readonly title: string;
  readonly explanation: string;
  /** The text that is searched for; left out: by day. */
  readonly company?: string;
  readonly platforms: readonly Markup[];
  readonly chosen?: readonly (readonly [name: string, value: string])[];
  readonly coverage: JournalCoverage;
  /** Before what the journal lacks. */
  readonly totals?: Markup;
  readonly main: Markup;
  readonly pages?: readonly (readonly [link: string | null, text: string])[];
}

/** What both forms have: the choice, for which platform and when it was made, and what the journal does not know. */
function frame(page: Page, { days, entity, now }: ReportOptions, of: Frame): Markup {
  const { texts, format } = page;
  const words = texts.report;
  const main = html`<h1>${of.title}</h1>
    <p>${of.explanation}</p>
    ${reportForm(page, { ...days, entity }, of.company)}
    <div class="card">
      ${facts([
        [words.platform, html`${of.platforms.map((line) => html`<span class="line">${line}</span>`)}`],
        [
          words.madeAt,
          `${platformTimestamp(now.getTime(), format.timeZone)}. ${words.daysIn(format.timeZone)}`,
        ],
        ...(of.chosen ?? []),
      ])}
    </div>
    ${of.totals ?? ''}
    ${unknownLines(words, of.coverage, format.timeZone).map((line) => html`<p>${line}</p>`)} ${of.main}
    ${pagesNav(page, ...(of.pages ?? []))}`;
  return layout(page, { title: of.title, main });
}

/** The choice of a report, and the way to its other form. `company`: the text that is searched for; left out: by day. */
function reportForm(
  page: Page,
  { from, to, entity }: Omit<Parameters<typeof reportLink>[1], 'after'>,
  company?: string,
): Markup {
  const { texts } = page;
  const words = texts.report;
  const byRecord = company !== undefined;
  return html`<p class="buttons">
      <a href="${reportLink(byRecord ? REPORT_PATH : REPORTED_PATH, { from, to, entity })}"
        >${byRecord ? words.byDay : words.byRecord}</a
      >
    </p>
    <form class="choice" action="${byRecord ? REPORTED_PATH : REPORT_PATH}" method="get">
      ${dayField(page, words.from, 'from', from)} ${dayField(page, words.to, 'to', to)}
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

/** A browser writes days in its own language, whatever that of the page: in Indonesian they are text. */
function dayField({ language }: Page, label: string, name: string, value: string): Markup {
  const type =
    language === 'en'
      ? html`type="date"`
      : html`inputmode="numeric" pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}" placeholder="2026-12-31"`;
  return html`<label><span>${label}</span><input ${type} name="${name}" required value="${value}" /></label>`;
}
