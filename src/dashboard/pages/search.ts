import { html } from 'hono/html';
import type { Markup, Page } from './page.js';

/** The search for a record. It keeps what the address names, also when nothing was found or the search failed. */
export function search({ texts, entities, path }: Page): Markup {
  const { pathname, searchParams } = new URL(path, 'http://dashboard');
  const entity = searchParams.get('entity');
  const key = pathname === '/record' ? searchParams.get('key') : null;
  return html`<form class="search" role="search" action="/record" method="get">
    <label
      ><span>${texts.entity}</span>
      <select name="entity">
        ${entities.map(
          (name) =>
            html`<option value="${name}" ${name === entity ? html`selected` : ''}>
              ${texts.entityName(name)}
            </option>`,
        )}
      </select></label
    >
    <label
      ><span>${texts.key}</span>
      <input
        name="key"
        required
        autocomplete="off"
        spellcheck="false"
        placeholder="${texts.key}"
        value="${key ?? ''}"
    /></label>
    <button type="submit">${texts.find}</button>
  </form>`;
}
