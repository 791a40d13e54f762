import { html } from 'hono/html';
import { assetPath } from '../assets.js';
import { TEXTS } from '../text/language.js';
import type { Markup, Page } from './elements.js';
import {
  ACTIONS_PATH,
  FIND_PATH,
  INBOX_PATH,
  languageLink,
  listLink,
  REPORT_PATH,
  RUNS_PATH,
} from './links.js';

interface Layout {
  readonly title: string;
  readonly main: Markup;
  /** What a button did; null: none was pressed. */
  readonly message?: string | null;
  /** Whether the message stays for a while on a live page; else it goes when it is no longer true. */
  readonly lasting?: boolean;
  readonly live?: boolean;
  /** Without navigation: the caller is not admitted. */
  readonly bare?: boolean;
}

/** A whole page: head, navigation, message, main part, foot. Works without scripts. */
export function layout(page: Page, options: Layout): Markup {
  const { texts, language, format } = page;
  const { title, main, message, lasting = true, live = false, bare = false } = options;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>
          ${[title, ...(bare || page.where === '' ? [] : [page.where]), 'placement-sync'].join(' · ')}
        </title>
        <link rel="stylesheet" href="${assetPath('dashboard.css')}" />
        <link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}" />
        ${bare ? '' : html`<script src="${assetPath('dashboard.js')}" defer></script>`}
      </head>
      <body>
        <a class="skip" href="#main">${texts.skip}</a>
        <header>
          <a class="name" href="/">placement-sync</a>
          ${bare ? languageChoice(page) : html`<span class="where">${page.where}</span> ${page.navigation(page)}`}
          ${page.loggedIn ? logOut(page) : ''}
        </header>
        <main id="main" tabindex="-1">
          <div id="done" data-live ${lasting ? html`data-lasting` : ''}>
            ${message ? html`<p class="message" role="status">${message}</p>` : ''}
          </div>
          ${main}
        </main>
        <footer>
          ${
            bare
              ? ''
              : html`<p>
                    ${texts.version(page.version)}. ${texts.thisIs(page.holder)}
                    ${texts.timesIn(format.zone(new Date()))}
                  </p>
                  <span class="unseen" id="copied" aria-live="polite"></span>`
          }
          ${live ? liveLine(page) : ''}
        </footer>
      </body>
    </html>`;
}

function logOut({ texts, formToken }: Page): Markup {
  return html`<form method="post" action="/logout">
    <input type="hidden" name="form" value="${formToken}" />
    <button class="quiet" type="submit">${texts.logOut}</button>
  </form>`;
}

/** For the script: its words, and a button that it shows. */
function liveLine({ texts, format }: Page): Markup {
  return html`<p
    id="live"
    hidden
    data-lost="${texts.liveLost}"
    data-unwell="${texts.liveUnwell}"
    data-login="${texts.liveLogin}"
    data-time-zone="${format.timeZone}"
  >
    <button type="button" class="quiet" data-pause="${texts.livePause}" data-resume="${texts.liveResume}">
      ${texts.livePause}
    </button>
  </p>`;
}

interface MenuEntry {
  readonly name: string;
  readonly link: string;
  /** The paths at which the entry counts as open. */
  readonly pages: RegExp;
}

/** The pages of every day; those that are looked at now and then, and the languages, are under More. A new page gets its line here. */
export function navigation(page: Page): Markup {
  const { texts, entities } = page;
  const [first = ''] = entities;
  return html`${menu(
    page,
    [
      { name: texts.overview, link: '/', pages: /^\/$/ },
      { name: texts.records, link: listLink(first, null), pages: /^\/records?$/ },
      { name: texts.menuRuns, link: RUNS_PATH, pages: /^\/runs(\/|$)/ },
      { name: texts.report.title, link: REPORT_PATH, pages: /^\/report(\/|$)/ },
    ],
    [
      { name: texts.menuInbox, link: INBOX_PATH, pages: /^\/inbox$/ },
      { name: texts.actions.title, link: ACTIONS_PATH, pages: /^\/actions$/ },
    ],
  )}
  ${search(page)}`;
}

/** A menu; it marks the page that is open. On a phone it is behind one button. */
export function menu(page: Page, daily: readonly MenuEntry[], more: readonly MenuEntry[] = []): Markup {
  const { texts, languages } = page;
  const { pathname } = new URL(page.path, 'http://dashboard');
  const items = (pages: readonly MenuEntry[]) =>
    pages.map(
      ({ name, link, pages: own }) =>
        html`<li>
          <a href="${link}" ${own.test(pathname) ? html`aria-current="page"` : ''}>${name}</a>
        </li>`,
    );
  return html`<nav class="menu" aria-label="${texts.menu}">
    <details class="phone">
      <summary class="button">${texts.menu}</summary>
    </details>
    <ul>
      ${items(daily)}
      ${
        more.length === 0 && languages.length < 2
          ? ''
          : html`<li>
              <details class="more">
                <summary>${texts.more}</summary>
                <ul>
                  ${items(more)}
                  <li>${languageChoice(page)}</li>
                </ul>
              </details>
            </li>`
      }
    </ul>
  </nav>`;
}

function languageChoice({ language, languages, path }: Page): Markup {
  if (languages.length < 2) return html``;
  return html`<span class="languages">
    ${languages.map(
      (one) =>
        html`<a
          href="${languageLink(path, one)}"
          lang="${one}"
          hreflang="${one}"
          ${one === language ? html`aria-current="true"` : ''}
          >${TEXTS[one].languageName}</a
        >`,
    )}
  </span>`;
}

/** The search for a record, in all entities. It keeps what the address names, also when nothing was found or the search failed. */
function search({ texts, path }: Page): Markup {
  const { pathname, searchParams } = new URL(path, 'http://dashboard');
  const key = pathname === '/record' || pathname === FIND_PATH ? searchParams.get('key') : null;
  return html`<form class="search" role="search" action="${FIND_PATH}" method="get">
    <label
      ><span>${texts.keyOrTitle}</span>
      <input
        name="key"
        type="search"
        required
        autocomplete="off"
        spellcheck="false"
        placeholder="${texts.keyOrTitle}"
        value="${key ?? ''}"
        aria-keyshortcuts="/"
    /></label>
    <button type="submit">${texts.find}</button>
  </form>`;
}

interface Notice {
  readonly title: string;
  readonly reason: string | Markup;
  readonly hint: string;
  /** Without links: the caller is not admitted. */
  readonly bare?: boolean;
}

/** Why something was not done or cannot be shown, and what to do about it. */
export function noticePage(page: Page, { title, reason, hint, bare = false }: Notice): Markup {
  const { texts } = page;
  const main = html`<section class="card notice">
    <h1>${title}</h1>
    <p>${reason}</p>
    <p class="hint"><strong>${texts.hint}:</strong> ${hint}</p>
    ${bare ? '' : html`<nav class="pages"><a href="/">${texts.back}</a></nav>`}
  </section>`;
  return layout(page, { title, main, bare });
}

/** Asks for the token. `back`: where to go then. Everybody sees it, so nothing in it depends on the token. */
export function loginPage(page: Page, back: string, problem: string | null): Markup {
  const { texts } = page;
  const main = html`<section class="card notice">
    <h1>${texts.loginTitle}</h1>
    <p id="hint">${texts.loginHint}</p>
    ${problem === null ? '' : html`<p class="message lost" role="alert">${problem}</p>`}
    <form class="login" method="post" action="/login">
      <input type="hidden" name="back" value="${back}" />
      <label
        ><span>${texts.token}</span>
        <input
          name="token"
          type="password"
          required
          autofocus
          autocomplete="current-password"
          aria-describedby="hint"
      /></label>
      <button class="primary" type="submit">${texts.logIn}</button>
    </form>
  </section>`;
  return layout(page, { title: texts.loginTitle, main, bare: true });
}
