import { html } from 'hono/html';
import { LANGUAGES } from '../../domain/names.js';
import { assetPath } from '../assets.js';
import { TEXTS } from '../text/language.js';
import { languageLink } from './links.js';
import type { Markup, Page } from './page.js';

export interface Layout {
  readonly title: string;
  readonly main: Markup;
  /** What a button did; null: none was pressed. */
  readonly message?: string | null;
  /** Whether the message stays for a while on a live page; else it goes when it is no longer true. */
  readonly lasting?: boolean;
  /** The page updates itself where scripts run. */
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
        <title>${title} · placement-sync</title>
        <link rel="stylesheet" href="${assetPath('dashboard.css')}" />
        <link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}" />
        ${bare ? '' : html`<script src="${assetPath('dashboard.js')}" defer></script>`}
      </head>
      <body>
        <a class="skip" href="#main">${texts.skip}</a>
        <header>
          <a class="name" href="/">placement-sync</a>
          ${bare ? '' : page.navigation(page)}
          <nav aria-label="${texts.language}" class="languages">
            ${LANGUAGES.map(
              (one) =>
                html`<a
                  href="${languageLink(page.path, one)}"
                  lang="${one}"
                  hreflang="${one}"
                  ${one === language ? html`aria-current="true"` : ''}
                  >${TEXTS[one].languageName}</a
                >`,
            )}
          </nav>
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
                    ${texts.timesIn(format.timeZone)}
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
function liveLine({ texts }: Page): Markup {
  return html`<p id="live" hidden data-lost="${texts.liveLost}" data-login="${texts.liveLogin}">
    <button type="button" class="quiet" data-pause="${texts.livePause}" data-resume="${texts.liveResume}">
      ${texts.livePause}
    </button>
  </p>`;
}
