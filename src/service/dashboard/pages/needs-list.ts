import { html } from 'hono/html';
import type { EntityName } from '../../../domain/entity-name.js';
import type { Need, Sample } from '../needs.js';
import { actionForm, askedForm, badge, command, dataTable, explainCommand, foreign } from './elements.js';
import { listLink, recordLink } from './links.js';
import type { Markup, Page } from './page.js';

/** What a need comes to on the page. */
interface Told {
  readonly title: string;
  readonly urgent: boolean;
  readonly reason: readonly (string | Markup)[];
  readonly cure: string;
  readonly buttons?: readonly Markup[];
  readonly commands?: readonly Markup[];
}

interface Context {
  readonly now: Date;
  /** `notify.staleAfter` */
  readonly staleAfterMs: number;
}

/** Everything that needs a human, each with reason and cure. */
export function needsList(page: Page, needs: readonly Need[], context: Context): Markup {
  const { texts } = page;
  if (needs.length === 0) return html`<p class="muted">${texts.attentionNothing}</p>`;
  return html`<ol class="needs">
    ${needs.map((need) => {
      const { title, urgent, reason, cure, buttons = [], commands = [] } = told(page, need, context);
      return html`<li class="card ${urgent ? 'urgent' : ''}">
        <h3>${badge(urgent ? 'bad' : 'warn', title)}</h3>
        ${reason.map((part) => (typeof part === 'string' ? html`<p>${part}</p>` : part))}
        <p class="cure"><strong>${texts.cure}:</strong> ${cure}</p>
        ${commands.length > 0 ? html`<p class="terminal">${texts.orInTerminal}: ${commands}</p>` : ''}
        ${buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : ''}
      </li>`;
    })}
  </ol>`;
}

function told(page: Page, need: Need, { now, staleAfterMs }: Context): Told {
  const { texts, format } = page;
  switch (need.kind) {
    case 'standstill':
      return {
        title: texts.standstillTitle,
        urgent: true,
        reason: [texts.standstillReason],
        cure: texts.standstillCure,
        commands: [command('start')],
      };
    case 'area-stopped': {
      const { area, message, hint } = need.stopped;
      return {
        title: texts.areaStopped(texts.areaNames[area]),
        urgent: true,
        reason: [
          html`<p>${foreign(page, `${/[.!?]$/.test(message) ? message : `${message}.`} ${hint}`)}</p>`,
        ],
        cure: texts.areaStoppedCure,
      };
    }
    case 'outage':
      return {
        title: texts.outage(texts.areaNames[need.area]),
        urgent: true,
        reason: [texts.outageReason(format.number(need.deferred))],
        cure: texts.outageCure,
      };
    case 'held': {
      const { entity, hold, approved } = need;
      const { vanished, invalid } = hold.counts;
      return {
        title: texts.heldTitle(texts.entityNames[entity]),
        urgent: !approved,
        reason: [
          html`<p>
            ${texts.guards[hold.guard]} ${texts.heldCounts(format.number(vanished), format.number(invalid))}
            ${since(page, hold.since, now)}
          </p>`,
          html`<p class="muted">${foreign(page, hold.message)}</p>`,
          keys(page, entity, hold.sampleKeys),
        ],
        cure: approved ? texts.heldApproved : texts.heldCure,
        buttons: approved ? [runNow(page)] : [permit(page, entity)],
        // Who has permitted it need not do so once more.
        commands: approved ? [] : [command('approve', entity)],
      };
    }
    case 'push-held': {
      const { entity, hold } = need;
      return {
        title: texts.heldTitle(texts.entityNames[entity]),
        urgent: true,
        reason: [
          html`<p>
            ${texts.guards[hold.guard]} ${texts.heldRefused(format.number(hold.refused))}
            ${since(page, hold.since, now)}
          </p>`,
          html`<p class="muted">${foreign(page, hold.message)}</p>`,
          keys(page, entity, hold.sampleKeys),
        ],
        cure: texts.heldPushCure,
        buttons: [permit(page, entity)],
        commands: [command('approve', entity)],
      };
    }
    case 'failed':
      return {
        title: texts.failedTitle(texts.entityNames[need.entity]),
        urgent: true,
        reason: [html`<p><code>${need.code}</code> ${foreign(page, need.message)}</p>`],
        cure: texts.failedCure,
        buttons: [runNow(page)],
      };
    case 'stale': {
      const limit = format.span(staleAfterMs);
      return {
        title: texts.staleTitle(texts.entityNames[need.entity]),
        urgent: false,
        reason: [
          need.lastSuccessAt
            ? texts.staleReason(format.age(need.lastSuccessAt, now), limit)
            : texts.staleNever(limit),
        ],
        cure: texts.staleCure,
        buttons: [runNow(page)],
        commands: [command('status')],
      };
    }
    case 'rejected':
    case 'invalid':
    case 'blocked':
      return toldOfRecords(page, need);
    case 'unmapped': {
      const codes = format.number(need.codes.length);
      return {
        title: texts.unmappedTitle(texts.entityNames[need.entity], codes),
        urgent: false,
        reason: [
          dataTable(
            texts.unmappedTitle(texts.entityNames[need.entity], codes),
            [{ name: texts.field }, { name: texts.unmappedCode }, { name: texts.recordCount, number: true }],
            need.codes.map(({ field, message, count, sampleKey }) => [
              field,
              foreign(page, message),
              html`<a href="${recordLink(need.entity, sampleKey)}">${format.number(count)}</a>`,
            ]),
          ),
        ],
        cure: texts.unmappedCure,
      };
    }
  }
}

function toldOfRecords(page: Page, need: Extract<Need, { kind: 'rejected' | 'invalid' | 'blocked' }>): Told {
  const { texts, format } = page;
  const { kind, entity, count, samples } = need;
  const number = format.number(count);
  const name = texts.entityNames[entity];
  const all = (status: 'rejected' | 'invalid' | 'waiting') =>
    count > samples.length
      ? html`<p><a href="${listLink(entity, status)}">${texts.showAll(number)}</a></p>`
      : html``;
  const [sample] = samples;
  const explain = sample ? [explainCommand(entity, sample.key)] : [];
  switch (kind) {
    case 'rejected':
      return {
        title: texts.rejectedTitle(name, number),
        urgent: false,
        reason: [sampleList(page, entity, samples), all('rejected')],
        cure: texts.rejectedCure,
        buttons: [retry(page, entity, 'rejected', number)],
        commands: [command('retry', '--entity', entity)],
      };
    case 'invalid':
      return {
        title: texts.invalidTitle(name, number),
        urgent: false,
        reason: [sampleList(page, entity, samples), all('invalid')],
        cure: texts.invalidCure,
        commands: explain,
      };
    case 'blocked':
      return {
        title: texts.blockedTitle(name, number),
        urgent: false,
        reason: [sampleList(page, entity, samples), all('waiting')],
        cure: texts.blockedCure,
        commands: explain,
      };
  }
}

function since({ texts, format }: Page, at: string, now: Date): string {
  return Number.isNaN(Date.parse(at)) ? '' : texts.heldSince(format.age(new Date(at), now));
}

function keys(page: Page, entity: EntityName, sampleKeys: readonly string[]): Markup | string {
  if (sampleKeys.length === 0) return html``;
  return html`<p>
    ${page.texts.samples}:
    ${sampleKeys.map((key) => html`<a class="key" href="${recordLink(entity, key)}">${key}</a> `)}
  </p>`;
}

function sampleList(page: Page, entity: EntityName, samples: readonly Sample[]): Markup {
  return html`<ul class="samples">
    ${samples.map(
      ({ key, text }) =>
        html`<li><a class="key" href="${recordLink(entity, key)}">${key}</a> ${foreign(page, text)}</li>`,
    )}
  </ul>`;
}

/** Asks for a sweep. */
export function runNow(page: Page): Markup {
  return actionForm(page, 'run', {}, page.texts.runNow, 'primary');
}

function permit(page: Page, entity: EntityName): Markup {
  const { texts } = page;
  return askedForm(
    texts.permit,
    texts.permitSure(texts.entityNames[entity]),
    actionForm(page, 'approve', { entity }, texts.permitYes, 'primary'),
  );
}

/** Sends all of that status again, after a question. */
export function retry(
  page: Page,
  entity: EntityName,
  status: 'rejected' | 'deferred',
  count: string,
): Markup {
  const { texts } = page;
  return askedForm(
    texts.retryAll(count),
    texts.retrySure(texts.entityNames[entity], texts.statusNames[status]),
    actionForm(page, 'retry', { entity, status }, texts.retryYes, 'primary'),
  );
}
