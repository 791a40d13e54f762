import { html } from 'hono/html';
import { RECORD_STATUSES } from '../../domain/names.js';
import { ORDERS, type ListOrder, type ListQuery } from '../list-query.js';
import type { Markup, Page } from './page.js';

/** The form above a list: which records, in which order. */
export function listChoice({ texts, entities }: Page, query: ListQuery): Markup {
  return html`<form class="choice" action="/records" method="get">
    ${select(
      texts.entity,
      'entity',
      query.entity,
      entities.map((name) => [name, texts.entityName(name)]),
    )}
    ${select(texts.status, 'status', query.status ?? '', [
      ['', texts.anyStatus],
      ...RECORD_STATUSES.toReversed().map((name) => [name, texts.statusNames[name]] as const),
    ])}
    ${input(texts.findContaining, 'find', query.search)}
    ${input(texts.reasonContaining, 'reason', query.reason)}
    ${select(
      texts.order,
      'order',
      query.order,
      (Object.keys(ORDERS) as ListOrder[]).map((name) => [name, texts.orders[name]]),
    )}
    <button type="submit">${texts.show}</button>
  </form>`;
}

function select(
  label: string,
  name: string,
  chosen: string,
  options: readonly (readonly [value: string, text: string])[],
): Markup {
  return html`<label
    ><span>${label}</span>
    <select name="${name}">
      ${options.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`,
      )}
    </select></label
  >`;
}

function input(label: string, name: string, value: string | null): Markup {
  return html`<label
    ><span>${label}</span>
    <input name="${name}" maxlength="200" autocomplete="off" spellcheck="false" value="${value ?? ''}"
  /></label>`;
}
