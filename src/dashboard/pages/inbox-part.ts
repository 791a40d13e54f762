import { html } from 'hono/html';
import type { InboxCounts } from '../../ports/inbox.js';
import { facts, moment } from './elements.js';
import type { Markup, Page } from './page.js';

/** How many job applications arrived. Numbers only: names of applicants are personal data. */
export function inboxPart(page: Page, inbox: InboxCounts | null, now: Date): Markup {
  const { texts, format } = page;
  if (inbox === null) return html`<p class="muted">${texts.inboxOff}</p>`;
  return facts([
    [texts.inboxLast, moment(page, inbox.lastReceivedAt, now)],
    [texts.inboxDay, format.number(inbox.lastDay)],
    [texts.inboxWeek, format.number(inbox.lastWeek)],
    [texts.inboxTotal, format.number(inbox.total)],
    [texts.inboxWithoutVacancy, format.number(inbox.withoutVacancy)],
    [texts.inboxUnrecognised, format.number(inbox.unrecognised)],
  ]);
}
