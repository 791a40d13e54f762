import { html } from 'hono/html';
import { type Issue, messageOf } from '../../core/domain/issue.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import type { LedgerParentProblem } from '../../core/domain/reason.js';
import { withFullStop } from '../../core/domain/text.js';
import type { Cause } from '../../features/look/causes.js';
import type { Words } from '../../features/troubles/consequences.js';
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
  command,
  dataTable,
  inEnglish,
  type Markup,
  type Page,
  pageWords,
  retry,
  runNow,
  SIGNS,
} from './elements.js';
import { listLink, recordLink } from './links.js';

/** Rows that are shown; the rest is behind one more row, so that the page keeps its height. */
const SHOWN = 12;

/** One row for each cause. A click shows what it means, what to do, records, commands and buttons: one at a time. */
export function causeList(page: Page, causes: readonly Cause[], now: Date): Markup {
  const [shown, more] = [causes.slice(0, SHOWN), causes.slice(SHOWN)];
  const rows = (list: readonly Cause[]) => list.map((cause) => causeRow(page, cause, now));
  return html`<ol class="causes">
    ${rows(shown)}
    ${
      more.length === 0
        ? ''
        : html`<li>
            <details id="more-causes">
              <summary>${page.texts.furtherCauses(page.format.number(more.length))}</summary>
              <ol class="causes">
                ${rows(more)}
              </ol>
            </details>
          </li>`
    }
  </ol>`;
}

function causeRow(page: Page, cause: Cause, now: Date): Markup {
  const { texts } = page;
  const { id, passes, troubles } = cause;
  const { urgent, actor, verb } = TROUBLE_KINDS[troubles[0].kind];
  const tone = passes ? 'quiet' : urgent ? 'bad' : 'warn';
  return html`<li class="${tone}">
    <details id="${id}" name="cause">
      <summary>
        <span class="sign" aria-hidden="true">${SIGNS[tone]}</span>
        <span class="what">${causeTitle(page, cause, now)}</span>
        <span class="whose">${passes ? waitingEnd(page, cause, now) : recordsText(page, cause)}</span>
        ${passes ? '' : html`<span class="who">${texts.actors[actor]}</span> <span class="verb">${texts.verbs[verb]}</span>`}
      </summary>
      <div class="detail">${causeDetail(page, cause, now)}</div>
    </details>
  </li>`;
}

/** What is wrong, and where it is put right. */
function causeTitle(page: Page, { troubles, groups }: Cause, now: Date): Markup {
  const { texts, format, language } = page;
  const [trouble] = troubles;
  const [group] = groups;
  if (!group) return html`${describeTrouble(trouble, language, wordsOf(page, troubles, now)).title}`;
  if (trouble.kind !== 'unmapped') {
    const text = reasonText(page, group);
    return html`${group.field === null ? text : html`<code>${group.field}</code> ${text}`}`;
  }
  const codes = new Set(groups.map(({ issue }) => issue.lookup?.code ?? null));
  const [code] = codes;
  const file = group.issue.lookup?.file ?? group.field;
  return html`${codes.size === 1 && code ? texts.codeWithoutId(code) : texts.codesWithoutId(format.number(trouble.count ?? codes.size))}
    <code>${file}</code>`;
}

/** `3 records (+3 wait): 1 company, 1 vacancy, 1 institution` */
function recordsText({ texts, format }: Page, { records, waiting }: Cause): string {
  const sum = (counts: Cause['records']) => counts.reduce((all, [, count]) => all + count, 0);
  const parts = records
    .map(([entity, count]) => texts.someOf(count, format.number(count), entity))
    .join(', ');
  const wait = sum(waiting) === 0 ? '' : ` ${texts.moreWait(format.number(sum(waiting)))}`;
  return records.length < 2
    ? `${parts}${wait}`
    : `${texts.recordsInAll(format.number(sum(records)))}${wait}: ${parts}`;
}

/** When what waits by itself goes on. */
function waitingEnd({ texts, format }: Page, { troubles: [trouble] }: Cause, now: Date): string {
  const at =
    'retryAt' in trouble
      ? (('pausedUntil' in trouble ? trouble.pausedUntil : null) ?? trouble.retryAt)
      : null;
  return at !== null && at > now ? texts.until(format.time(at)) : texts.nothingToDo;
}

/** The names of all entities that have it. */
function wordsOf(page: Page, troubles: Cause['troubles'], now: Date): Words {
  const words = pageWords(page, now);
  const names = troubles.flatMap(({ subject }) =>
    subject && 'entity' in subject ? [words.entity(subject.entity)] : [],
  );
  return names.length < 2 ? words : { ...words, entity: () => names.join(', ') };
}

function causeDetail(page: Page, { troubles, groups }: Cause, now: Date): Markup {
  const { texts } = page;
  const [trouble] = troubles;
  const { title, sentence, hint } = describeTrouble(trouble, page.language, wordsOf(page, troubles, now));
  const [group] = groups;
  const key = (group ?? trouble).sampleKeys[0] ?? null;
  // A run has a button.
  const commands = hintCommands(trouble, key).filter(([name]) => name !== 'run');
  const buttons = buttonsFor(page, trouble, now);
  const isPaused = trouble.kind === 'area-stopped' && trouble.pausedUntil !== null;
  const tries = 'retryAt' in trouble && !isPaused ? ` ${texts.areaTryNow}` : '';
  const own = group && page.language === 'en' && trouble.kind !== 'unmapped' ? (group.hint ?? '') : '';
  return html`<h3>${title}</h3>
    <p>${sentence}</p>
    ${troubleDetails(page, trouble, groups, title, now)}
    <p class="hint">
      <strong>${texts.hint}:</strong> ${own} ${hint}${tries} ${runbook(page, trouble.kind, title)}
    </p>
    ${commands.length > 0 ? html`<p class="terminal">${texts.orInTerminal}: ${commands.map((words) => command(page, ...words))}</p>` : ''}
    ${buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : ''}`;
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
function troubleDetails(
  page: Page,
  trouble: Trouble,
  groups: Cause['groups'],
  title: string,
  now: Date,
): Markup {
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
      return html`${
        trouble.sampleKeys.length === 0
          ? ''
          : html`<p>${texts.samples}: ${keyLinks(trouble.subject.entity, trouble.sampleKeys)}</p>`
      }`;
    case 'run-failed':
    case 'failed':
      return html`<p><code>${trouble.code}</code> ${inEnglish(page, message ?? '')}</p>`;
    case 'rejected':
      return html`${reasonTable(page, groups, title, false)} ${linkToAll(page, trouble, 'rejected', number)}`;
    case 'taken-down':
      return linkToAll(page, trouble, 'rejected', null);
    case 'invalid':
      return html`${reasonTable(page, groups, title, true)}
      ${groups.length === 0 && trouble.leftOut > 0 ? html`<p class="muted">${texts.furtherReasons(format.number(trouble.leftOut))}</p>` : ''}
      ${linkToAll(page, trouble, 'invalid', null)}`;
    case 'unmapped':
      return reasonTable(page, groups, title, true);
    case 'blocked':
      return html`${reasonTable(page, groups, title, false)} ${linkToAll(page, trouble, 'waiting', null)}`;
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

/** One line for each reason. `byField`: each reason is about one field. */
function reasonTable(page: Page, groups: Cause['groups'], caption: string, byField: boolean): Markup {
  const { texts, format } = page;
  if (groups.length === 0) return html``;
  return dataTable(
    caption,
    [
      ...(byField ? [{ name: texts.field }] : []),
      { name: byField ? texts.whatIsWrong : texts.reason, long: true },
      { name: texts.recordCount, number: true },
      { name: texts.samples, long: true },
    ],
    groups.map((group) => [
      ...(byField ? [group.field ?? ''] : []),
      html`${reasonText(page, group)}${group.follows.map(
        ({ entity, count }) =>
          html` <span class="line muted"
            >${texts.waitForThese(format.number(count), texts.entityName(entity))}</span
          >`,
      )}`,
      format.number(group.count),
      keyLinks(group.entity, group.sampleKeys),
    ]),
  );
}

/** What is wrong in the language of the page. Words of the platform stay as they came. */
function reasonText(page: Page, { kind, message, code, issue, parents }: Cause['groups'][number]): Markup {
  if (kind === 'rejected') return inEnglish(page, message);
  if (kind === 'waiting') {
    const { parentAbsent, parentBlocked } = TROUBLE_TEXTS[page.language];
    const { entity = '', keys = [] } = parents ?? {};
    const name = page.texts.entityName(entity);
    const text =
      code === 'parent-absent' ? parentAbsent(name) : parentBlocked(name, code as LedgerParentProblem);
    return html`${text} ${keyLinks(entity, keys)}`;
  }
  return html`${page.texts.issue(messageOf({ ...issue, message }), code as Issue['code'])}`;
}

function keyLinks(entity: EntityName, keys: readonly string[]): Markup {
  return html`<span class="keys"
    >${keys.map((key) => html`<a class="key" href="${recordLink(entity, key)}">${key}</a> `)}</span
  >`;
}
