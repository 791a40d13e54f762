import { html } from 'hono/html';
import { APPLIED_TO } from '../../features/webhook/contract/read-application.js';
import type { ListedApplication, Refusals, UnstoredWebhook } from '../../features/webhook/state/inbox.js';
import { badge, dataTable, dateTime, inEnglish, type Markup, type Page, pagesNav } from './elements.js';
import { layout } from './layout.js';
import { INBOX_PATH, link, recordLink } from './links.js';

interface InboxPageOptions {
  readonly receives: boolean;
  readonly refusals: readonly Refusals[];
  readonly unstored: readonly UnstoredWebhook[];
  readonly entries: readonly ListedApplication[];
  readonly further: boolean;
  /** The number of the one before the first; null: from the latest on. */
  readonly before: string | null;
}

/** What came by webhook, page by page, the latest first. Nothing of the applicants: their data is personal. */
export function inboxPage(page: Page, options: InboxPageOptions): Markup {
  const { texts } = page;
  const { receives, refusals, unstored, entries, further, before } = options;
  const last = entries.at(-1);
  const main = html`<h1>${texts.inbox}</h1>
    <p>${texts.inboxMeaning}</p>
    ${receives ? '' : html`<p class="muted">${texts.inboxOff}</p>`}
    <div id="refused" data-live>${refusals.length === 0 ? '' : refused(page, refusals)}</div>
    <div id="unstored" data-live>${unstored.length === 0 ? '' : notStored(page, unstored)}</div>
    <section id="list" data-live aria-labelledby="stored">
      <h2 id="stored">${texts.inboxStored}</h2>
      <div class="card">
        ${entries.length === 0 ? html`<p class="muted">${texts.inboxNothing}</p>` : stored(page, entries)}
      </div>
    </section>
    ${pagesNav(
      page,
      [before === null ? null : INBOX_PATH, texts.firstPage],
      [further && last ? link(INBOX_PATH, { before: last.id }) : null, texts.olderApplications],
    )}`;
  return layout(page, { title: texts.inbox, main, live: before === null });
}

function refused(page: Page, refusals: readonly Refusals[]): Markup {
  const { texts, format } = page;
  return html`<section aria-labelledby="refused-title">
    <h2 id="refused-title">${texts.inboxRefused}</h2>
    <div class="card">
      ${dataTable(
        texts.inboxRefused,
        [
          { name: texts.inboxRefusals, number: true },
          { name: texts.inboxRefusedFirst },
          { name: texts.inboxRefusedLast },
          { name: texts.inboxAcceptedAgain },
        ],
        refusals.map(({ count, since, lastAt, endedAt }) => [
          count === 0 ? texts.inboxNobody : format.number(count),
          dateTime(page, since),
          dateTime(page, lastAt),
          endedAt === null ? badge('bad', texts.inboxNoneSince) : dateTime(page, endedAt),
        ]),
      )}
    </div>
  </section>`;
}

function notStored(page: Page, unstored: readonly UnstoredWebhook[]): Markup {
  const { texts, format } = page;
  return html`<section aria-labelledby="not-stored">
    <h2 id="not-stored">${badge('bad', texts.inboxNotStored)}</h2>
    <p>${texts.inboxNotStoredMeaning}</p>
    <div class="card">
      ${dataTable(
        texts.inboxNotStored,
        [
          { name: texts.received },
          { name: texts.vacancy, long: true },
          { name: texts.layout },
          { name: texts.tries, number: true },
          { name: texts.reason, long: true },
        ],
        unstored.map(({ lastAt, vacancyKey, layout: name, attempts, reason }) => [
          dateTime(page, lastAt),
          vacancy(page, vacancyKey, name),
          layoutName(page, name),
          format.number(attempts),
          inEnglish(page, reason),
        ]),
      )}
    </div>
  </section>`;
}

function stored(page: Page, entries: readonly ListedApplication[]): Markup {
  const { texts, format } = page;
  return dataTable(
    texts.inboxStored,
    [
      { name: texts.received },
      { name: texts.vacancy, long: true },
      { name: texts.layout },
      { name: texts.versionName, number: true },
    ],
    entries.map(({ receivedAt, vacancyKey, layout: name, version }) => [
      dateTime(page, receivedAt),
      vacancy(page, vacancyKey, name),
      layoutName(page, name),
      format.number(version),
    ]),
  );
}

/** A link to the vacancy. An unrecognised layout names none. */
function vacancy({ texts }: Page, key: string | null, name: string): Markup {
  if (key !== null) return html`<a class="key" href="${recordLink(APPLIED_TO.name, key)}">${key}</a>`;
  return html`<span class="muted">${name === 'unrecognised' ? '–' : texts.noVacancy}</span>`;
}

function layoutName({ texts }: Page, name: string): Markup {
  return name === 'unrecognised' ? badge('warn', texts.inboxUnrecognised) : html`<code>${name}</code>`;
}
