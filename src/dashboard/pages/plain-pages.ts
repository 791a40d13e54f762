import { html } from 'hono/html';
import { layout } from './layout.js';
import type { Markup, Page } from './page.js';

export interface Notice {
  readonly title: string;
  readonly reason: string | Markup;
  readonly hint: string;
  /** Without links: the caller is not admitted. */
  readonly bare?: boolean;
}

/** Why something was not done or cannot be shown, and what to do about it. Pure. */
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

/** Asks for the token. `back`: where to go then. Everybody sees it, so nothing in it depends on the token. Pure. */
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
