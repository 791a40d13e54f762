import { html } from 'hono/html';
import type { PushHour } from '../../ports/push-hours.js';
import { niceMaximum } from '../nice-maximum.js';
import { CHART_HOURS } from '../read-overview.js';
import { dataTable, dateTime } from './elements.js';
import type { Markup, Page } from './page.js';

const HOUR_MS = 3_600_000;
/** Units of the drawing, which is stretched to the width of the page. */
const HEIGHT = 160;
const STEP = 10;
const BAR = 8;

interface Bar {
  readonly hour: Date;
  readonly sent: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly deferred: number;
}

/** All hours of the chart, of all entities together, the oldest first. Pure. */
export function barsOf(hours: readonly PushHour[], now: Date): readonly Bar[] {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: CHART_HOURS }, (_, index) => {
    const at = last - (CHART_HOURS - 1 - index) * HOUR_MS;
    const within = hours.filter(({ hour }) => hour.getTime() === at);
    const sum = (name: 'sent' | 'accepted' | 'rejected' | 'deferred') =>
      within.reduce((total, counted) => total + counted[name], 0);
    return {
      hour: new Date(at),
      sent: sum('sent'),
      accepted: sum('accepted'),
      rejected: sum('rejected'),
      deferred: sum('deferred'),
    };
  });
}

/** The platform's answers by hour; also in words and as a table, for readers who do not see the drawing. */
export function chart(page: Page, hours: readonly PushHour[], now: Date): Markup {
  const { texts, format } = page;
  const bars = barsOf(hours, now);
  const total = (name: 'sent' | 'accepted' | 'rejected' | 'deferred') =>
    format.number(bars.reduce((sum, bar) => sum + bar[name], 0));
  const busy = bars.filter(({ sent }) => sent > 0);
  const first = bars[0]?.hour ?? now;
  const middle = bars[CHART_HOURS / 2]?.hour ?? now;
  if (busy.length === 0) return html`<p class="muted">${texts.chartNothing}</p>`;
  const maximum = niceMaximum(Math.max(...busy.map(({ sent }) => sent)));
  const summary = texts.chartSummary(total('sent'), total('accepted'), total('rejected'), total('deferred'));
  return html`<figure class="chart">
      <figcaption>
        <p>${summary}</p>
        <ul class="legend">
          <li><span class="swatch accepted" aria-hidden="true"></span>${texts.accepted}</li>
          <li><span class="swatch deferred" aria-hidden="true"></span>${texts.deferred}</li>
          <li><span class="swatch rejected" aria-hidden="true"></span>${texts.rejected}</li>
        </ul>
      </figcaption>
      <p class="scale" aria-hidden="true">${texts.chartAxis(format.number(maximum))}</p>
      <svg
        viewBox="0 0 ${CHART_HOURS * STEP} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${texts.chartTitle}: ${summary}"
      >
        <defs>
          <pattern id="falling" width="5" height="5" patternUnits="userSpaceOnUse">
            <rect class="deferred" width="5" height="5" />
            <path class="hatch" d="M0 0 5 5" />
          </pattern>
          <pattern id="rising" width="4" height="4" patternUnits="userSpaceOnUse">
            <rect class="rejected" width="4" height="4" />
            <path class="hatch" d="M0 2H4" />
          </pattern>
        </defs>
        <path class="grid" d="M0 .5H${CHART_HOURS * STEP}M0 ${HEIGHT / 2}H${CHART_HOURS * STEP}" />
        ${bars.map((bar, index) => drawn(page, bar, index, maximum))}
        <path class="base" d="M0 ${HEIGHT - 0.5}H${CHART_HOURS * STEP}" />
      </svg>
      <p class="hours" aria-hidden="true">
        <span>${format.dateTime(first)}</span><span>${format.dateTime(middle)}</span
        ><span>${format.dateTime(bars.at(-1)?.hour ?? now)}</span>
      </p>
    </figure>
    <details id="chart-table">
      <summary>${texts.chartTable}</summary>
      ${dataTable(
        texts.chartTitle,
        [
          { name: texts.hour },
          { name: texts.sent, number: true },
          { name: texts.accepted, number: true },
          { name: texts.deferred, number: true },
          { name: texts.rejected, number: true },
        ],
        busy
          .toReversed()
          .map(({ hour, ...counts }) => [
            dateTime(page, hour),
            format.number(counts.sent),
            format.number(counts.accepted),
            format.number(counts.deferred),
            format.number(counts.rejected),
          ]),
      )}
    </details>`;
}

function drawn({ texts, format }: Page, bar: Bar, index: number, maximum: number): Markup | '' {
  if (bar.sent === 0) return '';
  // A small count must stay visible.
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (count / maximum) * HEIGHT));
  const parts = [
    { count: bar.accepted, fill: null },
    { count: bar.deferred, fill: 'url(#falling)' },
    { count: bar.rejected, fill: 'url(#rising)' },
  ];
  let top = HEIGHT;
  const words = [
    format.dateTime(bar.hour),
    `${texts.accepted} ${format.number(bar.accepted)}`,
    `${texts.deferred} ${format.number(bar.deferred)}`,
    `${texts.rejected} ${format.number(bar.rejected)}`,
  ];
  return html`<g>
    <title>${words.join(' · ')}</title>
    ${parts.map(({ count, fill }) => {
      const tall = Math.min(height(count), top);
      top -= tall;
      if (tall === 0) return '';
      const place = { x: index * STEP + (STEP - BAR) / 2, y: top.toFixed(1), height: tall.toFixed(1) };
      return fill === null
        ? html`<rect
            class="accepted"
            x="${place.x}"
            y="${place.y}"
            width="${BAR}"
            height="${place.height}"
          />`
        : html`<rect fill="${fill}" x="${place.x}" y="${place.y}" width="${BAR}" height="${place.height}" />`;
    })}
  </g>`;
}
