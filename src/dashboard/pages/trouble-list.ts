import { html } from 'hono/html';
import { hintCommands, RUNBOOK_SECTIONS } from '../../domain/trouble/hints.js';
import { describeTrouble } from '../../domain/trouble/describe-trouble.js';
import { type Trouble, TROUBLE_KINDS, type TroubleKind } from '../../domain/trouble/trouble.js';
import { approve, retry, runNow } from './buttons.js';
import { badge, command } from './elements.js';
import type { Markup, Page } from './page.js';
import { troubleDetails } from './trouble-details.js';
import { pageWords } from './page-words.js';

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
    <p class="hint">
      <strong>${texts.hint}:</strong> ${hint}${tries} ${runbookLink(page, trouble.kind, title)}
    </p>
    ${commands.length > 0 ? html`<p class="terminal">${texts.orInTerminal}: ${commands.map((words) => command(page, ...words))}</p>` : ''}
    ${buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : ''}
  </li>`;
}

/** The runbook is in English. */
function runbookLink({ texts, runbookUrl }: Page, kind: TroubleKind, title: string): Markup {
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
    case 'stale':
      return [runNow(page)];
    case 'standstill':
    case 'interrupted':
    case 'in-doubt':
    case 'drifted':
    case 'unmapped':
    case 'invalid':
    case 'blocked':
    case 'deferred':
      return [];
  }
}
