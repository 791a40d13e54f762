import { html } from 'hono/html';
import type { EntityName } from '../../core/domain/names.js';
import type { Markup, Page } from './elements.js';
import { layout } from './layout.js';
import { listLink, recordLink } from './links.js';

/** What the search found: records of several entities with this key, or lists of those that contain the words. */
export function foundPage(
  page: Page,
  words: string,
  {
    exact,
    lists,
  }: {
    readonly exact: readonly { readonly entity: EntityName; readonly key: string }[];
    readonly lists: readonly EntityName[];
  },
): Markup {
  const { texts } = page;
  const title = texts.found(words);
  const lines = [
    ...exact.map(
      ({ entity, key }) =>
        html`<li>
          ${texts.entityName(entity)}: <a class="key" href="${recordLink(entity, key)}">${key}</a>
        </li>`,
    ),
    ...lists.map(
      (entity) =>
        html`<li>
          <a href="${listLink(entity, null, { search: words })}"
            >${texts.foundIn(texts.entityName(entity))}</a
          >
        </li>`,
    ),
  ];
  const main = html`<section class="card notice">
    <h1>${title}</h1>
    ${
      lines.length === 0
        ? html`<p>${texts.foundNothing}</p>
            <p>
              ${page.entities.map((entity) => html`<a href="${recordLink(entity, words)}">${texts.entityName(entity)}</a> `)}
            </p>`
        : html`<ul>
            ${lines}
          </ul>`
    }
    <nav class="pages"><a href="/">${texts.back}</a></nav>
  </section>`;
  return layout(page, { title, main });
}
