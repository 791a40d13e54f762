import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { type Consequence, NOTHING_HELD } from '../../core/domain/guard.js';
import { type Issue, messageOf } from '../../core/domain/issue.js';
import type { EntityName, Language, RecordStatus } from '../../core/domain/names.js';
import { describeConsequences, type Words } from '../../features/troubles/consequences.js';
import type { TroubleOf } from '../../core/domain/trouble/trouble.js';
import { issueLine } from '../../core/entities/index.js';
import { shellWord } from '../../core/domain/text.js';
import type { Texts } from '../text/english.js';
import type { Format } from '../text/format.js';

/** Colour and sign of a badge; both always come with a word. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

export const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  busy: '→',
  warn: '!',
  bad: '✕',
  quiet: '–',
};

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

const FRESH_MS = 2_000;

/** When the figures of a page were read, with their age unless that was just now. */
export function asOf({ texts, format }: Page, at: Date, ageMs: number): Markup {
  const age = ageMs < FRESH_MS ? null : format.age(new Date(0), new Date(ageMs));
  return html`<p class="muted">${texts.updatedAt(`${format.day(at)}, ${format.time(at)}`, age)}</p>`;
}

export function dateTime(page: Page, at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${page.format.dateTime(at)}</time>`;
}

/** Text from outside; it is in English in every language of the page. */
export function inEnglish(page: Page, text: string): Markup {
  return page.language === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`;
}

/** The status of a record. One that left the source is closed there, unless the entity only reports it. */
export function statusName({ texts, leftOpen }: Page, entity: EntityName, status: RecordStatus): string {
  return status === 'vanished' && leftOpen.includes(entity) ? texts.leftSource : texts.statusNames[status];
}

/** What is wrong in a row, as one line in the language of the page. */
export function issueInWords({ texts }: Page, entity: EntityName, issue: Issue): string {
  const message = texts.issue(messageOf(issue), issue.code);
  return issueLine(entity, { ...issue, column: undefined, message });
}

/** A form with one button, hidden `fields` and `asked` for more; nothing for a reader who may only look. */
export function actionForm(
  page: Page,
  action: 'run' | 'retry' | 'approve' | 'resync' | 'look' | 'matching',
  fields: Readonly<Record<string, string>>,
  label: string,
  style: 'primary' | 'danger' | 'plain' = 'plain',
  asked: Markup | '' = '',
): Markup {
  if (!page.mayAct) return NOTHING;
  const hidden = Object.entries({ form: page.formToken, back: page.path, ...fields });
  return html`<form method="post" action="/actions/${action}">
    ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)} ${asked}
    <button class="${style}" type="submit">${label}</button>
  </form>`;
}

const NOTHING = html``;

/** A choice of a form. `chosen`: a value of `options`. */
export function selectField(
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

export function askedForm(opener: string, question: string, form: Markup): Markup {
  return html`<details class="asked">
    <summary class="button">${opener}</summary>
    <div class="question">
      <p>${question}</p>
      ${form}
    </div>
  </details>`;
}

/** From a list to its other pages (null: there is none), and to the overview. */
export function pagesNav(
  { texts }: Page,
  ...links: readonly (readonly [link: string | null, text: string])[]
): Markup {
  return html`<nav class="pages" aria-label="${texts.pages}">
    ${links.map(([link, text]) => (link === null ? '' : html`<a href="${link}">${text}</a> `))}
    <a href="/">${texts.back}</a>
  </nav>`;
}

/** A command of the program, as a shell takes it. Where scripts run, a button copies it. */
export function command({ texts }: Page, ...words: readonly string[]): Markup {
  const text = ['placement-sync', ...words].map(shellWord).join(' ');
  return html`<span class="copied-command"
    ><code class="command">${text}</code
    ><button type="button" class="quiet copy" data-copied="${texts.copied}">
      ${texts.copy}<span class="unseen"> ${text}</span>
    </button></span
  > `;
}

/** The command that explains a record; a key may look like an option. */
export function explainCommand(
  page: Page,
  entity: string,
  key: string,
  ...options: readonly string[]
): Markup {
  return command(page, 'explain', ...options, entity, ...(key.startsWith('-') ? ['--', key] : [key]));
}

/** Number of a column: what is not known is a dash. */
export function countOf(page: Page, count: number | null): string {
  return count === null ? '–' : page.format.number(count);
}

export interface TableColumn {
  readonly name: string;
  readonly number?: true;
  /** Text from outside or a key: it may break anywhere. In other columns no word is broken. */
  readonly long?: true;
}

type Cell = string | Markup;

/** A table with more columns needs a wide page: its rows become blocks earlier. */
const MOST_COLUMNS = 8;

export interface TableRow {
  /** The last cell of a short row takes the rest of its width. */
  readonly cells: readonly Cell[];
  /** A line below over the whole width; null: none. */
  readonly note: Cell | null;
}

/**
 * A table whose rows become blocks where there is no room. The roles are written out, because a browser forgets them
 * with the change of display.
 */
export function dataTable(
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[] | TableRow)[],
): Markup {
  return html`<table role="table" class="${columns.length > MOST_COLUMNS ? 'wide' : ''}">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          (column) => html`<th role="columnheader" scope="col" class="${kind(column)}">${column.name}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => ('cells' in row ? tableRow(columns, row) : tableRow(columns, { cells: row, note: null })))}
    </tbody>
  </table>`;
}

function tableRow(
  columns: readonly TableColumn[],
  { cells: [first = '', ...cells], note }: TableRow,
): Markup {
  const missing = columns.length - 1 - cells.length;
  return html`<tr role="row" class="${note === null ? '' : 'noted'}">
      <th role="rowheader" scope="row" class="${kind(columns[0])}">${first}</th>
      ${cells.map((cell, index) => {
        const column = columns[index + 1];
        const span = missing > 0 && index === cells.length - 1 ? missing + 1 : 1;
        return html`<td
          role="cell"
          class="${kind(column)}"
          data-label="${column?.name ?? ''}"
          ${span === 1 ? '' : html`colspan="${span}"`}
        >
          ${cell}
        </td>`;
      })}
    </tr>
    ${
      note === null
        ? ''
        : html`<tr role="row" class="note">
            <td role="cell" class="long" colspan="${columns.length}">${note}</td>
          </tr>`
    }`;
}

function kind(column: TableColumn | undefined): string {
  return column?.number ? 'number' : column?.long ? 'long' : '';
}

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

export function runNow(page: Page): Markup {
  return actionForm(page, 'run', {}, page.texts.runNow, 'primary');
}

/** Approves what a guard stopped, after a question that says what will happen at the platform. */
export function approve(page: Page, trouble: TroubleOf<'held' | 'push-held'>, now: Date): Markup {
  const { texts } = page;
  const { entity } = trouble.subject;
  // A newer sweep may find more than what this page shows: then the button approves nothing of it.
  const { vanished, invalid, changed = 0, neverThere = 0, source } = trouble.sweep ?? NOTHING_HELD;
  const seen = {
    vanished: String(vanished),
    invalid: String(invalid),
    changed: String(changed),
    neverThere: String(neverThere),
    ...(source === undefined ? {} : { source }),
  };
  const words = pageWords(page, now);
  const consequences = describeConsequences(trouble.consequences, entity, page.language, words);
  if (!page.mayAct) return NOTHING;
  const ending = endingOf(trouble.consequences);
  const label = ending
    ? texts[ending.does](texts.someOf(ending.count, page.format.number(ending.count), entity))
    : texts.approveYes;
  return askedForm(
    texts.approve,
    [texts.approveSure(texts.entityName(entity)), ...consequences].join(' '),
    html`${actionForm(page, 'approve', { entity, ...seen }, label, ending ? 'danger' : 'primary', html`${reasonField(page)} ${ending ? typedField(page, ending.count) : ''}`)}
      <a class="button" href="${page.path}">${texts.cancel}</a>`,
  );
}

/** Above so many records that will end at the platform, their number is typed. */
function typedField({ texts, format }: Page, count: number): Markup | '' {
  if (count <= TYPED_FROM) return '';
  // However somebody parts the thousands.
  const pattern = String(count).replace(/\B(?=(?:\d{3})+$)/g, '[., ]?');
  return html`<label
    ><span>${texts.typeNumber(format.number(count))}</span>
    <input name="typed" inputmode="numeric" autocomplete="off" required pattern="${pattern}"
  /></label>`;
}

function reasonField({ texts, requireReason }: Page): Markup {
  return html`<label
    ><span>${texts.why}</span>
    <input name="reason" maxlength="500" autocomplete="off" ${requireReason ? html`required` : ''}
  /></label>`;
}

/** Sends all of that status again, after a question. */
export function retry(
  page: Page,
  entity: EntityName,
  status: 'rejected' | 'deferred',
  count: string,
): Markup {
  const { texts } = page;
  if (!page.mayAct) return NOTHING;
  return askedForm(
    texts.retryAll(count),
    texts.retrySure(texts.entityName(entity), texts.statusNames[status]),
    actionForm(page, 'retry', { entity, status }, texts.retryYes, 'primary'),
  );
}

/** How texts about troubles name things on a page that is read at `now`. */
export function pageWords({ texts, format }: Page, now: Date): Words {
  return {
    entity: (name) => texts.entityName(name),
    area: (name) => texts.areaNames[name],
    number: (value) => format.number(value),
    when: (at) => format.age(at, now),
    span: (ms) => format.span(ms),
  };
}

/** Text of a page; everything from outside is escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What every page knows about its reader and the process that it comes from. */
export interface Page {
  readonly language: Language;
  /** Those that the reader may choose from. */
  readonly languages: readonly Language[];
  readonly texts: Texts;
  readonly format: Format;
  /** Path and query of this page, without the message of a button. */
  readonly path: string;
  readonly formToken: string;
  readonly loggedIn: boolean;
  /** Whether the reader may press buttons; else there are none. */
  readonly mayAct: boolean;
  /** Whether an approval needs a reason. */
  readonly requireReason: boolean;
  readonly version: string;
  /** Address of the runbook, without a section; null: a command prints it. */
  readonly runbookUrl: string | null;
  /** `host pid 123` of this process. */
  readonly holder: string;
  /** Configured entities, parents first; of a fleet none. */
  readonly entities: readonly EntityName[];
  /** Those whose records stay as they are at the platform when they leave the source. */
  readonly leftOpen: readonly EntityName[];
  /** Where its ledger belongs: environment, host of the platform, database of the source. A fleet has many. */
  readonly where: string;
  /** What stands in the head beside the name. */
  readonly navigation: (page: Page) => Markup;
}

/** Above so many records that an approval ends at the platform, a person types their number. */
export const TYPED_FROM = 500;

/** What an approval ends at the platform; undefined: nothing. */
export function endingOf(consequences: readonly Consequence[]) {
  return consequences.flatMap((one) =>
    one.does === 'close' || one.does === 'delete' ? [{ does: one.does, count: one.count }] : [],
  )[0];
}
