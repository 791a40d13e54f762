import { html } from 'hono/html';
import { withLocalTimes } from '../../core/contract/time.js';
import type { Issue } from '../../core/domain/issue.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import { type ShownState, withoutStatus } from '../../core/domain/reply/reply.js';
import type { JsonValue } from '../../core/domain/row.js';
import { isAboutApplications } from '../../core/entities/index.js';
import type { Explanation } from '../../features/look/explain-record.js';
import type { FieldChange } from '../../core/domain/payload.js';
import {
  actionForm,
  badge,
  command,
  dataTable,
  explainCommand,
  facts,
  inEnglish,
  issueInWords,
  type Markup,
  type Page,
  statusName,
  type Tone,
} from './elements.js';
import { layout } from './layout.js';
import { listLink, recordLink } from './links.js';
import { deliveryTable } from './run-page.js';

const TONES: Readonly<Record<RecordStatus, Tone>> = {
  synced: 'good',
  pending: 'busy',
  waiting: 'warn',
  deferred: 'warn',
  rejected: 'bad',
  invalid: 'bad',
  vanished: 'quiet',
};

interface RecordPageOptions {
  readonly explanation: Explanation;
  /** What people call it; null: nothing does. */
  readonly name: string | null;
  /** Between what the platform accepted last and what is desired. */
  readonly changes: readonly FieldChange[];
  readonly message: string | null;
  /** Records of this entity can be read back. */
  readonly canLook: boolean;
}

export function recordPage(
  page: Page,
  entity: EntityName,
  { explanation, name, changes, message, canLook }: RecordPageOptions,
): Markup {
  const { texts } = page;
  const { key, status } = explanation;
  // Sending is not possible before the row is correct; the button could only say so.
  // Only what the platform has accepted can be compared.
  const looks = canLook && status === 'synced';
  const sendable = status !== 'invalid' && status !== 'vanished' && status !== 'foreign';
  const main = html`<h1 class="record">
      <span class="muted">${texts.entityName(entity)} <span class="key">${key}</span></span> ${name ?? key}
    </h1>
    <p class="state">
      ${
        status === 'foreign'
          ? html`${badge('quiet', texts.foreignName)} ${texts.foreignMeaning}`
          : explanation.keptBack
            ? html`${badge('warn', texts.statusNames[status])} ${texts.vanishedHeld}`
            : html`<a href="${listLink(entity, status)}"
                  >${badge(TONES[status], statusName(page, entity, status))}</a
                >
                ${texts.statusMeanings[status]}`
      }
    </p>
    <section class="card" aria-labelledby="why">
      <h2 id="why">${texts.decision}</h2>
      ${page.language === 'en' ? html`<p>${withLocalTimes(explanation.reason, page.format.timeZone)}</p>` : ''}
      ${issues(page, entity, page.texts.issues, explanation.issues)}
      ${issues(page, entity, page.texts.doubts, explanation.warnings ?? [])}
      ${page.mayAct ? buttons(page, { entity, key }, { sendable, looks, invalid: status === 'invalid' }) : ''}
      <p class="terminal">
        ${texts.orInTerminal}: ${explainCommand(page, entity, key)}
        ${looks ? command(page, 'verify', '--entity', entity, `--key=${key}`) : ''}
        ${sendable ? command(page, 'resync', '--entity', entity, `--key=${key}`) : ''}
      </p>
    </section>
    <section class="card" aria-labelledby="ledger">
      <h2 id="ledger">${texts.ledger}</h2>
      ${ledgerFacts(page, explanation)}
    </section>
    ${timelinePart(page, explanation, changes)}
    ${
      isAboutApplications(entity)
        ? html`<p class="muted">${texts.personal}</p>`
        : html`${json(texts.row, explanation.row, texts.rowNone)}
          ${json(texts.payload, explanation.payload, texts.payloadNone)}`
    }
    <nav class="pages"><a href="/">${texts.back}</a></nav>`;
  return layout(page, { title: `${texts.entityName(entity)} ${name ?? key}`, main, message });
}

function buttons(
  page: Page,
  record: { readonly entity: EntityName; readonly key: string },
  { sendable, looks, invalid }: Readonly<Record<'sendable' | 'looks' | 'invalid', boolean>>,
): Markup | string {
  const { texts } = page;
  return sendable
    ? html`<div class="buttons">
        ${actionForm(page, 'resync', record, texts.resync, 'primary')}
        <span class="muted">${texts.resyncHint}</span>
        ${
          looks
            ? html`${actionForm(page, 'look', record, texts.look)}
                <span class="muted">${texts.lookHint}</span>`
            : ''
        }
      </div>`
    : invalid
      ? html`<div class="buttons">
          ${actionForm(page, 'resync', record, texts.checkYes)}
          <span class="muted">${texts.checkHint}</span>
        </div>`
      : '';
}

function ledgerFacts(page: Page, explanation: Explanation): Markup {
  const { texts, format } = page;
  const { waitsFor, lastReply, nextAttemptAt, atPlatform = null } = explanation;
  const said = lastReply && withoutStatus(lastReply.error, lastReply.statusCode);
  const code = (text: string | null) => (text === null ? null : html`<code>${text}</code>`);
  return facts([
    [texts.platformId, code(explanation.platformId)],
    [texts.reference, code(explanation.reference)],
    [texts.desiredHash, code(explanation.desiredHash)],
    [texts.acknowledgedHash, code(explanation.acknowledgedHash)],
    [
      texts.atPlatform,
      atPlatform &&
        html`${stateOf(page, atPlatform)}
          <span class="line muted">${format.dateTime(new Date(atPlatform.since))}</span>`,
    ],
    [
      texts.lookedAt,
      explanation.lookedAt === undefined ? null : format.dateTime(new Date(explanation.lookedAt)),
    ],
    [texts.attempts, format.number(explanation.attempts)],
    [texts.nextAttempt, nextAttemptAt === null ? null : format.dateTime(new Date(nextAttemptAt))],
    [
      texts.waitsFor,
      waitsFor &&
        html`${
          waitsFor.key === null
            ? html`<code>${waitsFor.platformId}</code>`
            : html`<a class="key" href="${recordLink(waitsFor.entity, waitsFor.key)}">${waitsFor.key}</a>`
        }${page.language === 'en' ? `: ${waitsFor.reason}` : ''}`,
    ],
    [
      texts.lastReply,
      lastReply &&
        html`${
          lastReply.statusCode === null
            ? texts.noReply
            : `${texts.httpStatus} ${String(lastReply.statusCode)}`
        }
        ${said === null ? '' : inEnglish(page, said)}
        ${
          lastReply.requestId === null
            ? ''
            : html`<span class="line muted">${texts.requestId} <code>${lastReply.requestId}</code></span>`
        }
        ${lastReply.body === null ? '' : html`<code class="line">${lastReply.body}</code>`}`,
    ],
  ]);
}

/** What the platform shows of a record that it accepted, with its own word. */
export function stateOf({ texts }: Page, { state, word }: ShownState): Markup {
  return html`${texts.platformStates[state]}${word === null ? '' : html` <q lang="en">${word}</q>`}`;
}

function issues(page: Page, entity: EntityName, title: string, found: readonly Issue[]): Markup | '' {
  if (found.length === 0) return '';
  return html`<h3>${title}</h3>
    <ul>
      ${found.map(
        (issue) =>
          html`<li>
            ${issueInWords(page, entity, issue)}
            ${issue.hint && page.language === 'en' ? html`<span class="line">→ ${issue.hint}</span>` : ''}
          </li>`,
      )}
    </ul>`;
}

function json(title: string, value: object | null, nothing: string): Markup {
  return html`<section class="card">
    <h2>${title}</h2>
    ${
      value === null
        ? html`<p class="muted">${nothing}</p>`
        : html`<pre tabindex="0" role="region" aria-label="${title}">${JSON.stringify(value, null, 2)}</pre>`
    }
  </section>`;
}

const LISTED = 20;

const LONGEST = 300;

/** The requests about a record, the latest first, and what will change with the next one. */
function timelinePart(
  page: Page,
  { entity, key, timeline }: Explanation,
  changes: readonly FieldChange[],
): Markup {
  const { report } = page.texts;
  const shown = timeline.slice(-LISTED).toReversed();
  const earlier = timeline.length - shown.length;
  return html`<section class="card journal" aria-labelledby="timeline">
      <h2 id="timeline">${report.timeline}</h2>
      ${
        shown.length === 0
          ? html`<p class="muted">${report.timelineNothing}</p>`
          : deliveryTable(
              page,
              report.timeline,
              shown.map((entry) => ({ ...entry, answeredAt: new Date(entry.answeredAt) })),
            )
      }
      ${
        earlier > 0
          ? html`<p class="terminal">
              ${report.earlier(page.format.number(earlier))} ${explainCommand(page, entity, key, '--json')}
            </p>`
          : ''
      }
    </section>
    ${changes.length === 0 ? '' : changed(page, changes)}`;
}

function changed({ texts }: Page, changes: readonly FieldChange[]): Markup {
  const { report } = texts;
  return html`<section class="card journal" aria-labelledby="changes">
    <h2 id="changes">${report.changes}</h2>
    ${dataTable(
      report.changes,
      [{ name: texts.field }, { name: report.before }, { name: report.now }],
      changes.map(({ field, from, to }) => [
        html`<code>${field}</code>`,
        valueText(from, report.empty),
        valueText(to, report.empty),
      ]),
    )}
  </section>`;
}

function valueText(value: JsonValue, empty: string): Markup {
  if (value === null) return html`<span class="muted">${empty}</span>`;
  const text = JSON.stringify(value);
  return html`<code>${text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`}</code>`;
}
