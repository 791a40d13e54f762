import { html } from 'hono/html';
import { countTicks, timeTicks, type TimeTick } from '../axis-ticks.js';
import type { Bar, ChartRange } from '../chart-bars.js';
import type { Markup, Page } from './page.js';

/** Height of the bars, pixels; the width is that of the page, so places across are percentages. */
const HEIGHT = 160;
/** Room for the marks below. */
const BELOW = 22;
/** Share of its place that a bar fills. */
const FILLED = 0.8;

export interface DrawingOptions {
  readonly bars: readonly Bar[];
  readonly range: ChartRange;
  /** The number at the top. */
  readonly maximum: number;
}

/** The bars with their axes. It says nothing to readers who do not see it: the values beside it do. */
export function drawing(page: Page, { bars, range, maximum }: DrawingOptions): Markup {
  const across = (place: number) => `${((100 * place) / bars.length).toFixed(3)}%`;
  const lines = countTicks(maximum).filter((count) => count > 0);
  return html`<svg class="drawing" width="100%" height="${HEIGHT + BELOW}" aria-hidden="true">
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
    ${lines.map((count) => {
      const y = (HEIGHT * (1 - count / maximum) + 0.5).toFixed(1);
      return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />`;
    })}
    ${bars.map((bar, index) => drawn(bar, across(index + (1 - FILLED) / 2), across(FILLED), maximum))}
    <line class="base" x1="0" x2="100%" y1="${HEIGHT}" y2="${HEIGHT}" />
    ${timeTicks(bars, range).map((tick) => mark(page, tick, across(tick.index)))}
  </svg>`;
}

function mark({ format }: Page, { at, day, minor }: TimeTick, x: string): Markup {
  return html`<g class="${minor ? 'minor' : ''}">
    <line class="base" x1="${x}" x2="${x}" y1="${HEIGHT}" y2="${HEIGHT + 5}" />
    <text class="mark" x="${x}" y="${HEIGHT + 18}">${day ? format.day(at) : format.hour(at)}</text>
  </g>`;
}

function drawn(bar: Bar, x: string, width: string, maximum: number): Markup | '' {
  if (bar.sent === 0) return '';
  // A small count must stay visible.
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (count / maximum) * HEIGHT));
  const parts = [
    { count: bar.accepted, fill: null },
    { count: bar.deferred, fill: 'url(#falling)' },
    { count: bar.rejected, fill: 'url(#rising)' },
  ];
  let top = HEIGHT;
  return html`${parts.map(({ count, fill }) => {
    const tall = Math.min(height(count), top);
    top -= tall;
    if (tall === 0) return '';
    const place = html`x="${x}" width="${width}" y="${top.toFixed(1)}" height="${tall.toFixed(1)}"`;
    return fill === null ? html`<rect class="accepted" ${place} />` : html`<rect fill="${fill}" ${place} />`;
  })}`;
}
