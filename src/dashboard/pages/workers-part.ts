import { html } from 'hono/html';
import type { OverviewReading } from '../read-overview.js';
import { facts, moment } from './elements.js';
import { runNow } from './buttons.js';
import type { Markup, Page } from './page.js';

/** Which processes hold the leases, when the next run is due, and the button to run now. */
export function workersPart(page: Page, { leases, nextDue, now }: OverviewReading): Markup {
  const { texts, format } = page;
  const standsBy = leases.length > 0 && leases.every(({ holder }) => holder !== page.holder);
  return html`${standsBy ? html`<p>${texts.standby(page.holder)}</p>` : ''}
    ${facts([
      ...leases.map(
        ({ name, holder, secondsLeft }) =>
          [
            texts.leases[name],
            html`${holder}${holder === page.holder ? ` (${texts.thisProcess})` : ''}
              <span class="muted">${texts.leaseLeft(format.number(secondsLeft))}</span>`,
          ] as const,
      ),
      ...(leases.length === 0 ? [[texts.heldBy, texts.workersNobody] as const] : []),
      [
        texts.nextDue,
        nextDue
          ? html`${moment(page, nextDue, now)} <span class="muted">${format.dateTime(nextDue)}</span>`
          : texts.nextDueNone,
      ],
      [texts.versionName, page.version],
    ])}
    <div class="buttons">${runNow(page)}<span class="muted">${texts.runNowHint}</span></div>`;
}
