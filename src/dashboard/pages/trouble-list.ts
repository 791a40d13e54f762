import { html } from 'hono/html';
import { type Issue, messageOf } from '../../core/domain/issue.js';
import type { IssueGroup } from '../../core/domain/issue-group.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import type { BlockedRecord } from '../../core/domain/reason.js';
import { withFullStop } from '../../core/domain/text.js';
import { describeTrouble, TROUBLE_TEXTS } from '../../features/troubles/describe-trouble.js';
import { hintCommands, RUNBOOK_SECTIONS } from '../../features/troubles/hints.js';
import {
  type Trouble,
  TROUBLE_KINDS,
  type TroubleKind,
  type TroubleOf,
} from '../../core/domain/trouble/trouble.js';
import {
  approve,
  badge,
  command,
  dataTable,
  inEnglish,
  type Markup,
  type Page,
  pageWords,
  retry,
  runNow,
} from './elements.js';
import { listLink, recordLink } from './links.js';

/** Everything that is wrong, each with what it means, what to do, commands and buttons. */
export function troubleList(page: Page, troubles: readonly Trouble[], now: Date): Markup {
  const { texts } = page;
  if (troubles.length === 0) return html`<p class="muted">${texts.attentionNothing}</p>`;
  return html`<ol class="needs">
    ${troubles.map((trouble) => troubleCard(page, trouble, now))}
  </ol>`;
}

function troubleCard(page: Page, trouble: Trouble, now: Date): Markup {
  const { texts } = page;
  const { title, sentence, hint } = describeTrouble(trouble, page.language, pageWords(page, now));
  const approved = trouble.kind === 'held' && trouble.approved;
  const urgent = TROUBLE_KINDS[trouble.kind].urgent && !approved;
  // A run has a button.
  const commands = hintCommands(trouble, trouble.sampleKeys[0] ?? null).filter(([name]) => name !== 'run');
  const buttons = buttonsFor(page, trouble, now);
  const details = troubleDetails(page, trouble, title, now);
  const isPaused = trouble.kind === 'area-stopped' && trouble.pausedUntil !== null;
  const tries = 'retryAt' in trouble && !isPaused ? ` ${texts.areaTryNow}` : '';
  return html`<li class="card ${urgent ? 'urgent' : ''}">
    <h3>${badge(urgent ? 'bad' : 'warn', title)}</h3>
    <p>${sentence}</p>
    ${details}
    <p class="hint"><strong>${texts.hint}:</strong> ${hint}${tries} ${runbook(page, trouble.kind, title)}</p>
    ${commands.length > 0 ? html`<p class="terminal">${texts.orInTerminal}: ${commands.map((words) => command(page, ...words))}</p>` : ''}
    ${buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : ''}
  </li>`;
}

/** The runbook is in English. */
function runbook(page: Page, kind: TroubleKind, title: string): Markup {
  const { texts, runbookUrl } = page;
  if (runbookUrl === null)
    return html`${texts.runbook}: ${command(page, 'help', 'runbook', RUNBOOK_SECTIONS[kind])}`;
  return html`<a class="runbook" href="${runbookUrl}#${RUNBOOK_SECTIONS[kind]}" hreflang="en" rel="noreferrer"
    >${texts.runbook}<span class="unseen">: ${title}</span></a
  >`;
}

function buttonsFor(page: Page, trouble: Trouble, now: Date): readonly Markup[] {
  switch (trouble.kind) {
    case 'held':
      return [trouble.approved ? runNow(page) : approve(page, trouble, now)];
    case 'push-held':
      return [approve(page, trouble, now)];
    case 'rejected':
      return [retry(page, trouble.subject.entity, 'rejected', page.format.number(trouble.count ?? 0))];
    case 'auth-refused':
    case 'area-stopped':
    case 'run-failed':
    case 'failed':
    case 'slow':
    case 'stale':
      return [runNow(page)];
    case 'standstill':
    case 'interrupted':
    case 'in-doubt':
    case 'webhook-refused':
    case 'taken-down':
    case 'drifted':
    case 'unmapped':
    case 'invalid':
    case 'blocked':
    case 'deferred':
      return [];
  }
}

/** What a page shows of a trouble beside its text: records, and messages of the platform or a database. */
function troubleDetails(page: Page, trouble: Trouble, title: string, now: Date): Markup {
  const { texts, format } = page;
  const { kind, message } = trouble;
  const number = format.number(trouble.count ?? 0);
  switch (kind) {
    case 'auth-refused':
    case 'area-stopped': {
      // In English the hint is in the text; a cause with a name has its text in each language.
      const cause = page.language === 'en' || trouble.cause !== null ? null : trouble.hint;
      return html`${
        message === null && cause === null
          ? ''
          : html`<p class="muted">
              ${inEnglish(page, [message === null ? [] : withFullStop(message), cause ?? []].flat().join(' '))}
            </p>`
      }
      ${trouble.since === null ? '' : retryLine(page, trouble.retryAt, now)}`;
    }
    case 'held':
    case 'push-held':
    case 'drifted':
      return trouble.sampleKeys.length === 0
        ? html``
        : html`<p>${texts.samples}: ${keyLinks(trouble.subject.entity, trouble.sampleKeys)}</p>`;
    case 'run-failed':
    case 'failed':
      return html`<p><code>${trouble.code}</code> ${inEnglish(page, message ?? '')}</p>`;
    case 'rejected':
      return html`${reasonTable(page, trouble, title, false)} ${linkToAll(page, trouble, 'rejected', number)}`;
    case 'taken-down':
      return linkToAll(page, trouble, 'rejected', null);
    case 'invalid':
      return html`${reasonTable(page, trouble, title, true)} ${furtherReasons(page, trouble.leftOut)}
      ${linkToAll(page, trouble, 'invalid', null)}`;
    case 'unmapped':
      return html`${reasonTable(page, trouble, title, true)} ${furtherReasons(page, trouble.leftOut)}`;
    case 'blocked':
      return html`${blockedList(page, trouble)} ${linkToAll(page, trouble, 'waiting', null)}`;
    case 'deferred':
      return html`${message === null ? '' : html`<p class="muted">${inEnglish(page, message)}</p>`}
      ${linkToAll(page, trouble, 'deferred', number)}`;
    case 'standstill':
    case 'interrupted':
    case 'in-doubt':
    case 'webhook-refused':
    case 'slow':
    case 'stale':
      return html``;
  }
}

function retryLine({ texts, format }: Page, at: Date | null, now: Date): Markup {
  if (at === null || at.getTime() - now.getTime() < 1_000) return html`<p>${texts.areaRetryNow}</p>`;
  return html`<p>${texts.areaRetry(format.age(at, now), format.time(at))}</p>`;
}

/** Link to all records of that status. `number`: how many; null: not known. */
function linkToAll(
  { texts }: Page,
  { subject: { entity } }: TroubleOf<'rejected' | 'taken-down' | 'invalid' | 'blocked' | 'deferred'>,
  status: RecordStatus,
  number: string | null,
): Markup {
  const text = number === null ? texts.showList(texts.statusNames[status]) : texts.showAll(number);
  return html`<p><a href="${listLink(entity, status)}">${text}</a></p>`;
}

function furtherReasons({ texts, format }: Page, count: number): Markup {
  return count === 0 ? html`` : html`<p class="muted">${texts.furtherReasons(format.number(count))}</p>`;
}

/** One line for each reason. `byField`: each reason is about one field. */
function reasonTable(
  page: Page,
  { subject: { entity }, reasons }: TroubleOf<'rejected' | 'invalid' | 'unmapped'>,
  caption: string,
  byField: boolean,
): Markup {
  const { texts, format } = page;
  return dataTable(
    caption,
    [
      ...(byField ? [{ name: texts.field }] : []),
      { name: byField ? texts.whatIsWrong : texts.reason, long: true },
      { name: texts.recordCount, number: true },
      { name: texts.samples, long: true },
    ],
    reasons.map((reason) => [
      ...(byField ? [reason.issue.field ?? ''] : []),
      byField
        ? html`${whatIsWrong(page, reason)}${waitingChildren(page, reason)}`
        : inEnglish(page, reason.message),
      format.number(reason.count),
      keyLinks(entity, reason.sampleKeys),
    ]),
  );
}

function waitingChildren({ texts, format }: Page, { follows }: IssueGroup): Markup {
  return html`${follows.map(
    ({ entity, count }) =>
      html` <span class="line muted"
        >${texts.waitForThese(format.number(count), texts.entityName(entity))}</span
      >`,
  )}`;
}

/** The text of the code in the language of the page, then the English message with the details. */
function whatIsWrong(page: Page, { issue }: IssueGroup): Markup {
  const message = messageOf(issue);
  if (page.language === 'en') return html`${message}`;
  return html`<span
    >${page.texts.issueCodes[issue.code as Issue['code']]}
    <span class="line muted" lang="en">${message}</span></span
  >`;
}

function blockedList(
  { texts, language }: Page,
  { subject: { entity }, parent, records }: TroubleOf<'blocked'>,
): Markup {
  const { parentAbsent, parentBlocked } = TROUBLE_TEXTS[language];
  const parents = texts.entityName(parent);
  const why = ({ parentKey, problem }: BlockedRecord) =>
    parentKey === null
      ? parentAbsent(parents)
      : html`${parentBlocked(parents, problem)}
          <a class="key" href="${recordLink(parent, parentKey)}">${parentKey}</a>`;
  return html`<ul class="samples">
    ${records.map(
      (blocked) =>
        html`<li>
          <a class="key" href="${recordLink(entity, blocked.key)}">${blocked.key}</a>: ${why(blocked)}
        </li>`,
    )}
  </ul>`;
}

function keyLinks(entity: EntityName, keys: readonly string[]): Markup {
  return html`<span class="keys"
    >${keys.map((key) => html`<a class="key" href="${recordLink(entity, key)}">${key}</a> `)}</span
  >`;
}
