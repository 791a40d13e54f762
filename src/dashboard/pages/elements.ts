import { html } from 'hono/html';
import { shellWord } from '../../runtime/shell-word.js';
import type { Markup, Page } from './page.js';

/** Colour and sign of a badge; both always come with a word. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', busy: '→', warn: '!', bad: '✕', quiet: '–' };

export function badge(tone: Tone, word: string): Markup {
  return html`<span class="badge ${tone}"
    ><span class="sign" aria-hidden="true">${SIGNS[tone]}</span>${word}</span
  >`;
}

/** A moment: how long ago, and when exactly. */
export function moment(page: Page, at: Date | null, now: Date): Markup {
  if (at === null) return html`<span class="muted">${page.texts.never}</span>`;
  const exact = page.format.dateTime(at);
  return html`<time datetime="${at.toISOString()}" title="${exact}">${page.format.age(at, now)}</time>`;
}

export function dateTime(page: Page, at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${page.format.dateTime(at)}</time>`;
}

/** Text from outside; it is in English in every language of the page. */
export function foreign(page: Page, text: string): Markup {
  return page.language === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`;
}

/** A form with one button and hidden `fields`. */
export function actionForm(
  page: Page,
  action: 'run' | 'retry' | 'approve' | 'resync',
  fields: Readonly<Record<string, string>>,
  label: string,
  style: 'primary' | 'plain' = 'plain',
): Markup {
  const hidden = Object.entries({ form: page.formToken, back: page.path, ...fields });
  return html`<form method="post" action="/actions/${action}">
    ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="${style}" type="submit">${label}</button>
  </form>`;
}

/** A button behind a question. */
export function askedForm(opener: string, question: string, form: Markup): Markup {
  return html`<details class="asked">
    <summary class="button">${opener}</summary>
    <div class="question">
      <p>${question}</p>
      ${form}
    </div>
  </details>`;
}

/** A command of the program, as a shell takes it. */
export function command(...words: readonly string[]): Markup {
  return html`<code class="command">${['placement-sync', ...words].map(shellWord).join(' ')}</code>`;
}

/** The command that explains a record; a key may look like an option. */
export function explainCommand(entity: string, key: string, ...options: readonly string[]): Markup {
  return command('explain', ...options, entity, ...(key.startsWith('-') ? ['--', key] : [key]));
}

export interface TableColumn {
  readonly name: string;
  readonly number?: true;
}

/**
 * A table whose rows become blocks where there is no room. The roles are written out, because a browser forgets them
 * with the change of display.
 */
export function dataTable(
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | Markup)[])[],
): Markup {
  const kind = (index: number) => (columns[index]?.number ? 'number' : '');
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          ({ name }, index) => html`<th role="columnheader" scope="col" class="${kind(index)}">${name}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ([first = '', ...cells]) =>
          html`<tr role="row">
            <th role="rowheader" scope="row">${first}</th>
            ${cells.map(
              (cell, index) =>
                html`<td
                  role="cell"
                  class="${kind(index + 1)}"
                  data-label="${columns[index + 1]?.name ?? ''}"
                >
                  ${cell}
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Names and values. */
export function facts(entries: readonly (readonly [string, string | Markup | null])[]): Markup {
  return html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value ?? html`<span class="muted">–</span>`}</dd>
        </div>`,
    )}
  </dl>`;
}
