import { html } from 'hono/html';
import type { ListedAction } from '../../features/actions/action-store.js';
import { dataTable, dateTime, type Markup, type Page, pagesNav } from './elements.js';
import { layout } from './layout.js';
import { ACTIONS_PATH, link, recordLink } from './links.js';

interface ActionsPageOptions {
  readonly actions: readonly ListedAction[];
  readonly further: boolean;
  /** The number of the one before the first; null: from the latest on. */
  readonly before: string | null;
}

/** What people did by hand, page by page, the latest first. */
export function actionsPage(page: Page, { actions, further, before }: ActionsPageOptions): Markup {
  const { texts } = page;
  const last = actions.at(-1);
  const main = html`<h1>${texts.actions.title}</h1>
    <p>${texts.actions.meaning}</p>
    <section id="list" data-live aria-label="${texts.actions.title}">
      <div class="card">
        ${actions.length === 0 ? html`<p class="muted">${texts.actions.nothing}</p>` : listed(page, actions)}
      </div>
    </section>
    ${pagesNav(
      page,
      [before === null ? null : ACTIONS_PATH, texts.firstPage],
      [further && last ? link(ACTIONS_PATH, { before: last.id }) : null, texts.actions.older],
    )}`;
  return layout(page, { title: texts.actions.title, main, live: before === null });
}

function listed(page: Page, actions: readonly ListedAction[]): Markup {
  const { texts } = page;
  const { at, who, via, what, ways, unknown } = texts.actions;
  return dataTable(
    texts.actions.title,
    [
      { name: at },
      { name: who },
      { name: via },
      { name: what, long: true },
      { name: texts.why, long: true },
      { name: texts.outcome },
    ],
    actions.map((one) => [
      dateTime(page, one.at),
      one.who,
      ways[one.via],
      whatWasDone(page, one),
      one.reason ?? html`<span class="muted">–</span>`,
      one.outcome === null ? unknown : outcomeText(page, one),
    ]),
  );
}

/** The action and what it was about. Keys are links where they are records. */
function whatWasDone(page: Page, { action, entity, keys }: ListedAction): Markup {
  const { texts, entities } = page;
  const known = entities.find((name) => name === entity);
  return html`<code>${action}</code> ${known === undefined ? (entity ?? '') : texts.entityName(known)}
    ${keys.map((key) =>
      known === undefined
        ? html`<span class="line">${key}</span>`
        : html`<a class="key line" href="${recordLink(known, key)}">${key}</a>`,
    )}`;
}

/** `done: vacancies 1,084, pauses 0` */
function outcomeText({ texts, format, entities }: Page, { outcome, counts }: ListedAction): string {
  const { outcomes, counted } = texts.actions;
  const word = (words: Readonly<Record<string, string>>, name: string) =>
    Object.hasOwn(words, name) ? words[name] : name;
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    count === 0
      ? []
      : [
          `${entities.includes(name) ? texts.entityName(name) : (word(counted, name) ?? name)} ${format.number(count)}`,
        ],
  );
  const ended = word(outcomes, outcome ?? '') ?? '';
  return parts.length === 0 ? ended : `${ended}: ${parts.join(', ')}`;
}
