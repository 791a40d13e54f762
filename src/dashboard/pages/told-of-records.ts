import { html } from 'hono/html';
import type { EntityName } from '../../domain/entity-name.js';
import type { Reason } from '../../ports/record-lists.js';
import type { Need } from '../needs.js';
import { retry } from './buttons.js';
import { command, dataTable, explainCommand, foreign, type TableColumn } from './elements.js';
import { listLink, recordLink } from './links.js';
import type { Markup, Page } from './page.js';
import { keyLinks } from './sample-keys.js';
import type { Told } from './told.js';

type RecordNeed = Extract<Need, { kind: 'rejected' | 'invalid' | 'unmapped' | 'blocked' }>;

/** Records that need a human, by what is the matter with them. */
export function toldOfRecords(page: Page, need: RecordNeed): Told {
  const { texts, format } = page;
  const { entity } = need;
  const name = texts.entityNames[entity];
  const explain = (keys: readonly string[]) => keys.slice(0, 1).map((key) => explainCommand(entity, key));
  switch (need.kind) {
    case 'rejected': {
      const number = format.number(need.count);
      const title = texts.rejectedTitle(name, number);
      return {
        title,
        urgent: false,
        reason: [reasonTable(page, need, title, false), all(page, entity, 'rejected', number)],
        cure: texts.rejectedCure,
        buttons: [retry(page, entity, 'rejected', number)],
        commands: [command('retry', '--entity', entity), ...explain(need.reasons[0]?.sampleKeys ?? [])],
      };
    }
    case 'invalid': {
      const number = format.number(need.count);
      const title = texts.invalidTitle(name, number);
      return {
        title,
        urgent: false,
        reason: [reasonTable(page, need, title, true), all(page, entity, 'invalid', null)],
        cure: texts.invalidCure,
        commands: explain(need.reasons[0]?.sampleKeys ?? []),
      };
    }
    case 'unmapped': {
      const title = texts.unmappedTitle(name, format.number(need.codes.length));
      const table = reasonTable(page, { entity, reasons: need.codes }, title, true);
      return { title, urgent: false, reason: [table], cure: texts.unmappedCure };
    }
    case 'blocked': {
      const number = format.number(need.count);
      return {
        title: texts.blockedTitle(name, number),
        urgent: false,
        reason: [blockedList(page, need), all(page, entity, 'waiting', null)],
        cure: texts.blockedCure,
        commands: explain(need.samples.map(({ key }) => key)),
      };
    }
  }
}

/** To all records of that status. `number`: how many they are, where that is known. */
function all(
  { texts }: Page,
  entity: EntityName,
  status: 'rejected' | 'invalid' | 'waiting',
  number: string | null,
): Markup {
  const text = number === null ? texts.showList(texts.statusNames[status]) : texts.showAll(number);
  return html`<p><a href="${listLink(entity, status)}">${text}</a></p>`;
}

/** One line for what many have in common. `byField`: each is about one field. */
function reasonTable(
  page: Page,
  { entity, reasons }: { readonly entity: EntityName; readonly reasons: readonly Reason[] },
  caption: string,
  byField: boolean,
): Markup {
  const { texts, format } = page;
  const columns: readonly TableColumn[] = [
    ...(byField ? [{ name: texts.field }] : []),
    { name: byField ? texts.whatIsWrong : texts.reason },
    { name: texts.recordCount, number: true },
    { name: texts.samples },
  ];
  return dataTable(
    caption,
    columns,
    reasons.map((reason) => [
      ...(byField ? [reason.field ?? ''] : []),
      byField ? wrong(page, reason) : foreign(page, reason.message),
      format.number(reason.count),
      keyLinks(entity, reason.sampleKeys),
    ]),
  );
}

/** What has a code is told in the language of the page; the message adds what the code does not say. */
function wrong(page: Page, { code, message }: Reason): Markup {
  if (page.language === 'en') return html`${message}`;
  return html`<span
    >${page.texts.issueCodes[code]} <span class="line muted" lang="en">${message}</span></span
  >`;
}

function blockedList(
  { texts }: Page,
  { entity, parent, samples }: Extract<Need, { kind: 'blocked' }>,
): Markup {
  const why = (parentKey: string | null) =>
    parentKey === null
      ? texts.blockedAbsent(texts.entityNames[parent])
      : html`${texts.blockedBy(texts.entityNames[parent])}
          <a class="key" href="${recordLink(parent, parentKey)}">${parentKey}</a>`;
  return html`<ul class="samples">
    ${samples.map(
      ({ key, parentKey }) =>
        html`<li><a class="key" href="${recordLink(entity, key)}">${key}</a> ${why(parentKey)}</li>`,
    )}
  </ul>`;
}
