import { html } from 'hono/html';
import type { EntityName } from '../../domain/names.js';
import { recordLink } from './links.js';
import type { Markup, Page } from './page.js';

/** A few example keys, each a link to its record. */
export function sampleKeys(page: Page, entity: EntityName, keys: readonly string[]): Markup {
  if (keys.length === 0) return html``;
  return html`<p>${page.texts.samples}: ${keyLinks(entity, keys)}</p>`;
}

export function keyLinks(entity: EntityName, keys: readonly string[]): Markup {
  return html`<span class="keys"
    >${keys.map((key) => html`<a class="key" href="${recordLink(entity, key)}">${key}</a> `)}</span
  >`;
}
