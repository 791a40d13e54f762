import { html } from 'hono/html';
import type { PushHour } from '../../ports/queue.js';
import { countTicks } from '../axis-ticks.js';
import { barsOf, CHART_RANGES, type Bar, type ChartRange } from '../chart-bars.js';
import { niceMaximum } from '../nice-maximum.js';
import { dataTable } from './elements.js';
import { drawing } from './drawing.js';
import { chartLink } from './links.js';
import type { Markup, Page } from './page.js';

export interface ChartOptions {
  readonly range: ChartRange;
  readonly hours: readonly PushHour[];
  readonly now: Date;
}

/**
 * The platform's answers over a range of time. Every bar shows its numbers when it is pointed at, touched or focused;
 * a table has the same numbers. Works without scripts. Pure.
 */
export function chart(page: Page, { range, hours, now }: ChartOptions): Markup {
  const { texts, format } = page;
  const bars = barsOf(hours, now, range, format.timeZone);
  const busy = bars.filter(({ sent }) => sent > 0);
  const name = texts.chartRanges[range];
  if (busy.length === 0)
    return html`${ranges(page, range)}
      <p class="muted">${texts.chartNothing(name)}</p>`;
  const total = (count: 'sent' | 'accepted' | 'rejected' | 'deferred') =>
    format.number(bars.reduce((sum, bar) => sum + bar[count], 0));
  const maximum = niceMaximum(Math.max(...busy.map(({ sent }) => sent)));
  const counts = [total('sent'), total('accepted'), total('rejected'), total('deferred')] as const;
  return html`${ranges(page, range)}
    <figure class="chart">
      <figcaption>
        <p>${texts.chartSummary(name, ...counts)}</p>
        <ul class="legend">
          <li><span class="swatch accepted" aria-hidden="true"></span>${texts.accepted}</li>
          <li><span class="swatch deferred" aria-hidden="true"></span>${texts.deferred}</li>
          <li><span class="swatch rejected" aria-hidden="true"></span>${texts.rejected}</li>
        </ul>
      </figcaption>
      <p class="scale">${texts.chartUnits[CHART_RANGES[range].step]}</p>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          ${countTicks(maximum).map((count) => html`<span>${format.number(count)}</span>`)}
        </div>
        <div class="area">${drawing(page, { bars, range, maximum })} ${values(page, bars)}</div>
      </div>
    </figure>
    <details id="chart-table">
      <summary>${texts.chartTable}</summary>
      ${table(page, busy)}
    </details>`;
}

function ranges({ texts }: Page, shown: ChartRange): Markup {
  return html`<nav class="ranges" aria-label="${texts.chartRange}">
    ${(Object.keys(CHART_RANGES) as readonly ChartRange[]).map(
      (range) =>
        html`<a href="${chartLink(range)}" ${range === shown ? html`aria-current="true"` : ''}
          >${texts.chartRanges[range]}</a
        >`,
    )}
  </nav>`;
}

/**
 * Radio buttons over the bars: one stop for the keyboard, arrow keys go from bar to bar, a touch chooses one. The numbers
 * of the chosen bar stand above the chart; at first those of the present one.
 */
function values(page: Page, bars: readonly Bar[]): Markup {
  const { texts } = page;
  const present = bars.findLastIndex(({ future }) => !future);
  return html`<fieldset class="bars">
    <legend class="unseen">${texts.chartValues}</legend>
    ${bars.map((bar, index) =>
      bar.future
        ? html`<span class="slot"></span>`
        : html`<label class="slot"
            ><input
              type="radio"
              name="bar"
              autocomplete="off"
              ${index === present ? html`checked` : ''}
            /><span class="value">${words(page, bar)}</span></label
          >`,
    )}
  </fieldset>`;
}

function words(page: Page, bar: Bar): string {
  const { texts, format } = page;
  return [
    span(page, bar),
    `${texts.accepted} ${format.number(bar.accepted)}`,
    `${texts.deferred} ${format.number(bar.deferred)}`,
    `${texts.rejected} ${format.number(bar.rejected)}`,
  ].join(' · ');
}

/** `22 Nov`, or `22 Nov 06:00–12:00`. */
function span({ format }: Page, { from, to }: Bar): string {
  const wholeDay = to.getTime() - from.getTime() > 12 * 3_600_000;
  return wholeDay ? format.day(from) : `${format.day(from)} ${format.hour(from)}–${format.hour(to)}`;
}

function table(page: Page, bars: readonly Bar[]): Markup {
  const { texts, format } = page;
  return dataTable(
    texts.chartTitle,
    [
      { name: texts.chartTime },
      { name: texts.sent, number: true },
      { name: texts.accepted, number: true },
      { name: texts.deferred, number: true },
      { name: texts.rejected, number: true },
    ],
    bars
      .toReversed()
      .map((bar) => [
        span(page, bar),
        format.number(bar.sent),
        format.number(bar.accepted),
        format.number(bar.deferred),
        format.number(bar.rejected),
      ]),
  );
}
