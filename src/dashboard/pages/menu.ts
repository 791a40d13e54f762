import { html } from 'hono/html';
import { COVERAGE_PATH, INBOX_PATH, listLink, RUNS_PATH } from './links.js';
import type { Markup, Page } from './page.js';
import { search } from './search.js';

/** The pages one can begin at, in the order of the menu. A new page gets its line here. */
function entries({ texts, entities }: Page): readonly MenuEntry[] {
  const [first = ''] = entities;
  return [
    { name: texts.overview, link: '/', pages: /^\/$/ },
    { name: texts.records, link: listLink(first, null), pages: /^\/records?$/ },
    { name: texts.menuRuns, link: RUNS_PATH, pages: /^\/runs(\/|$)/ },
    { name: texts.menuInbox, link: INBOX_PATH, pages: /^\/inbox$/ },
    { name: texts.report.title, link: '/report', pages: /^\/report$/ },
    { name: texts.coverage.title, link: COVERAGE_PATH, pages: /^\/coverage$/ },
  ];
}

export interface MenuEntry {
  readonly name: string;
  readonly link: string;
  /** The paths at which the entry counts as open. */
  readonly pages: RegExp;
}

/** What stands in the head of the worker's pages. */
export function navigation(page: Page): Markup {
  return html`${menu(page, entries(page))} ${search(page)}`;
}

/** A menu; it marks the page that is open. */
export function menu(page: Page, pages: readonly MenuEntry[]): Markup {
  const { pathname } = new URL(page.path, 'http://dashboard');
  return html`<nav class="menu" aria-label="${page.texts.menu}">
    <ul>
      ${pages.map(
        ({ name, link, pages: own }) =>
          html`<li>
            <a href="${link}" ${own.test(pathname) ? html`aria-current="page"` : ''}>${name}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}
