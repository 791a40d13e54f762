import { html } from 'hono/html';
import type { PushHour } from '../features/look/push-hours.js';
import { dataTable, type Markup, type Page } from './pages/elements.js';

/** Hours of the chart, a bar each. */
export const CHART_HOURS = 48;

const HOUR_MS = 3_600_000;
/** Height of the bars, pixels; the width is that of the page, so places across are percentages. */
const HEIGHT = 48;

/** How the platform answered, in the order of the bars, from the bottom. */
const OUTCOMES = ['accepted', 'deferred', 'rejected'] as const;
const COUNTED = ['sent', ...OUTCOMES] as const;

export interface ChartOptions {
  readonly hours: readonly PushHour[];
  readonly now: Date;
}

/** The platform's answers of the last two days, small; a table has the same numbers. Works without scripts. */
export function chart(page: Page, options: ChartOptions): Markup {
  const { texts, format } = page;
  const bars = barsOf(options);
  const busy = bars.filter(({ sent }) => sent > 0);
  const [first, last] = [bars[0]?.from, bars.at(-1)?.from];
  if (busy.length === 0 || !first || !last) return html`<p class="muted">${texts.chartNothing}</p>`;
  const total = (name: (typeof COUNTED)[number]) => busy.reduce((sum, bar) => sum + bar[name], 0);
  return html`<figure class="chart">
      <figcaption>
        ${texts.chartSummary(format.number(total('sent')))}
        ${OUTCOMES.map((name) => html`<span><span class="swatch ${name}" aria-hidden="true"></span>${texts[name]} ${format.number(total(name))}</span> `)}
      </figcaption>
      ${drawing(bars, Math.max(...busy.map(({ sent }) => sent)))}
      <p class="muted" aria-hidden="true">
        <span>${format.dateTime(first)}</span> <span>${format.dateTime(last)}</span>
      </p>
    </figure>
    <details id="chart-table">
      <summary>${texts.chartTable}</summary>
      ${dataTable(
        texts.chartTitle,
        [{ name: texts.chartTime }, ...COUNTED.map((name) => ({ name: texts[name], number: true as const }))],
        busy
          .toReversed()
          .map((bar) => [format.dateTime(bar.from), ...COUNTED.map((name) => format.number(bar[name]))]),
      )}
    </details>`;
}

function drawing(bars: readonly Bar[], maximum: number): Markup {
  const wide = 100 / bars.length;
  return html`<svg class="drawing" width="100%" height="${HEIGHT}" aria-hidden="true">
    ${bars.map((bar, index) => {
      let top = HEIGHT;
      return OUTCOMES.filter((name) => bar[name] > 0).map((name) => {
        // A small count must stay visible.
        const tall = Math.min(Math.max(2, (bar[name] / maximum) * HEIGHT), top);
        top -= tall;
        const place = html`x="${(index * wide).toFixed(2)}%" width="${(wide * 0.8).toFixed(2)}%"`;
        return html`<rect class="${name}" ${place} y="${top.toFixed(1)}" height="${tall.toFixed(1)}" />`;
      });
    })}
    <line class="base" x1="0" x2="100%" y1="${HEIGHT}" y2="${HEIGHT}" />
  </svg>`;
}

type Bar = { readonly from: Date } & Record<(typeof COUNTED)[number], number>;

/** The last hours, of all entities together, the oldest first, also the empty ones. */
export function barsOf({ hours, now }: ChartOptions): readonly Bar[] {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: CHART_HOURS }, (_, index) => {
    const from = last - (CHART_HOURS - 1 - index) * HOUR_MS;
    const bar = { from: new Date(from), sent: 0, accepted: 0, deferred: 0, rejected: 0 };
    for (const counts of hours)
      if (counts.hour.getTime() === from) for (const name of COUNTED) bar[name] += counts[name];
    return bar;
  });
}
