import { html } from 'hono/html';
import { GUARD_TEXTS } from '../../domain/guard/guard-texts.js';
import type { Hold, PushHold } from '../../domain/guard/hold.js';
import type { Need } from '../needs.js';
import { codeText } from '../text/code-text.js';
import { permit, runNow } from './buttons.js';
import { badge, command, foreign } from './elements.js';
import type { Markup, Page } from './page.js';
import { sampleKeys } from './sample-keys.js';
import type { Told } from './told.js';
import { toldOfArea } from './told-of-area.js';
import { toldOfRecords } from './told-of-records.js';

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
        ${reason.map((part) => (part === '' ? '' : typeof part === 'string' ? html`<p>${part}</p>` : part))}
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
    case 'area-stopped':
      return toldOfArea(page, need.stopped, now);
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
        title: texts.heldTitle(texts.entityName(entity)),
        urgent: !approved,
        reason: [
          html`<p>
            ${texts.guards[hold.guard]} ${texts.heldCounts(format.number(vanished), format.number(invalid))}
            ${since(page, hold.since, now)}
          </p>`,
          holdMessage(page, hold),
          sampleKeys(page, entity, hold.sampleKeys),
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
        title: texts.heldTitle(texts.entityName(entity)),
        urgent: true,
        reason: [
          html`<p>
            ${texts.guards[hold.guard]} ${texts.heldRefused(format.number(hold.refused))}
            ${since(page, hold.since, now)}
          </p>`,
          holdMessage(page, hold),
          sampleKeys(page, entity, hold.sampleKeys),
        ],
        cure: texts.heldPushCure,
        buttons: [permit(page, entity)],
        commands: [command('approve', entity)],
      };
    }
    case 'failed':
      return {
        title: texts.failedTitle(texts.entityName(need.entity)),
        urgent: true,
        reason: [
          // Our own words say no more than the code in a language that the message is in.
          page.language === 'en' ? '' : (codeText(texts.errorCodes, need.code) ?? ''),
          html`<p><code>${need.code}</code> ${foreign(page, need.message)}</p>`,
        ],
        cure: texts.failedCure,
        buttons: [runNow(page)],
      };
    case 'in-doubt':
      return {
        title: texts.doubtTitle,
        urgent: true,
        reason: [
          texts.doubtReason(
            format.age(need.since, now),
            need.entities.map((entity) => texts.entityName(entity)).join(', '),
          ),
        ],
        cure: texts.doubtCure,
        commands: [command('verify', '--all', '--repair')],
      };
    case 'stale': {
      const limit = format.span(staleAfterMs);
      return {
        title: texts.staleTitle(texts.entityName(need.entity)),
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
    case 'unmapped':
    case 'blocked':
      return toldOfRecords(page, need);
  }
}

/** What the guard saw, in numbers; it is in English. */
function holdMessage(page: Page, hold: Hold | PushHold): Markup {
  const { setting } = GUARD_TEXTS[hold.guard];
  if (page.language === 'en') return html`<p class="muted">${hold.message}</p>`;
  return setting === null ? html`` : html`<p class="muted">${page.texts.heldLimit(setting)}</p>`;
}

function since({ texts, format }: Page, at: string, now: Date): string {
  return Number.isNaN(Date.parse(at)) ? '' : texts.heldSince(format.age(new Date(at), now));
}
