import { html } from 'hono/html';
import type { ListQuery } from '../list-query.js';
import { askedForm } from './elements.js';
import { listLink } from './links.js';
import type { Markup, Page } from './page.js';

/** A list whose selected records are sent again or retried, after a question. Works without scripts. */
export function selectionForm(page: Page, query: ListQuery, list: Markup): Markup {
  const { texts } = page;
  const { entity, status } = query;
  const retriable = status === null || status === 'rejected' || status === 'deferred';
  const hidden = Object.entries({ form: page.formToken, back: page.path, entity });
  // The Enter key presses the first button of a form that is not disabled: one that does nothing, because a question
  // must come first.
  return html`<form method="post" action="/actions/selected">
    <button type="submit" hidden></button>
    ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <div class="card">${list}</div>
    <div class="buttons">
      <a href="${listLink(entity, status, { ...query, selected: !query.selected })}"
        >${query.selected ? texts.selectNone : texts.selectAll}</a
      >
      ${retriable ? asked('retry', texts.retrySelected, texts.retrySelectedSure, texts.retryYes) : ''}
      ${asked('resync', texts.resyncSelected, texts.resyncSelectedSure, texts.resyncYes)}
    </div>
  </form>`;
}

function asked(act: 'retry' | 'resync', opener: string, question: string, yes: string): Markup {
  return askedForm(
    opener,
    question,
    html`<button class="primary" type="submit" name="act" value="${act}">${yes}</button>`,
  );
}
