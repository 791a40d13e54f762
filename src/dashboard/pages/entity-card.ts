import { html } from 'hono/html';
import { RECORD_STATUSES, type RecordStatus } from '../../domain/names.js';
import type { HealthState } from '../health.js';
import type { EntityHealth } from '../read-overview.js';
import { badge, moment, type Tone } from './elements.js';
import { listLink } from './links.js';
import type { Markup, Page } from './page.js';

const TONES: Readonly<Record<HealthState, Tone>> = {
  ok: 'good',
  sending: 'busy',
  attention: 'warn',
  stale: 'warn',
  held: 'bad',
  failed: 'bad',
  refused: 'bad',
  interrupted: 'bad',
  stopped: 'bad',
  new: 'quiet',
};

/** Synced records come first, records that need your action last. */
const ORDER: readonly RecordStatus[] = RECORD_STATUSES.toReversed();

/** One entity at a glance; every number leads to its records. */
export function entityCard(page: Page, entity: EntityHealth, now: Date): Markup {
  const { texts, format } = page;
  const { name, counts, health, state } = entity;
  const total = ORDER.reduce((sum, status) => sum + counts[status], 0);
  return html`<li class="card entity">
    <h3>${texts.entityName(name)} ${badge(TONES[health], texts.states[health])}</h3>
    <p class="total">
      <a href="${listLink(name, null)}">${texts.recordsInAll(format.number(total))}</a>
    </p>
    ${state.hold && state.hold.counts.vanished > 0 ? html`<p class="muted">${texts.heldBack(format.number(state.hold.counts.vanished))}</p>` : ''}
    ${counts.expired > 0 ? html`<p class="muted">${texts.ofVanished(format.number(counts.expired))}</p>` : ''}
    ${state.foreign > 0 ? html`<p class="muted">${texts.foreignRows(format.number(state.foreign))}</p>` : ''}
    ${shares(counts, total)}
    <ul class="counts">
      ${ORDER.map((status) =>
        counts[status] === 0
          ? html`<li class="zero"><span class="count">0</span> ${texts.statusNames[status]}</li>`
          : html`<li class="${status}">
              <a href="${listLink(name, status)}"
                ><span class="count">${format.number(counts[status])}</span> ${texts.statusNames[status]}</a
              >
            </li>`,
      )}
    </ul>
    <dl class="times">
      <div>
        <dt>${texts.lastSuccess}</dt>
        <dd>${moment(page, state.lastSuccessAt, now)}</dd>
      </div>
      ${
        counts.oldestPendingAt
          ? html`<div>
              <dt>${texts.oldestPending}</dt>
              <dd>${moment(page, counts.oldestPendingAt, now)}</dd>
            </div>`
          : ''
      }
    </dl>
  </li>`;
}

/** How the records are divided, as a bar; the numbers beside it say the same. */
function shares(counts: EntityHealth['counts'], total: number): Markup {
  const width = 1000;
  let left = 0;
  const parts = ORDER.filter((status) => counts[status] > 0).map((status) => {
    const wide = Math.max(8, (counts[status] / total) * width);
    const x = left;
    left += wide;
    return html`<rect class="${status}" x="${x.toFixed(1)}" width="${wide.toFixed(1)}" height="8" />`;
  });
  return html`<svg
    class="shares"
    viewBox="0 0 ${Math.max(width, left).toFixed(0)} 8"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${parts}
  </svg>`;
}
