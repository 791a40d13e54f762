import { html } from 'hono/html';
import type { PushHour } from '../core/ledger/queue/area-states.js';
import { dataTable, type Markup, type Page } from './pages/elements.js';
import { chartLink } from './pages/links.js';

export interface ChartOptions {
  readonly range: ChartRange;
  readonly hours: readonly PushHour[];
  readonly now: Date;
}

/**
 * The platform's answers over a range of time. Every bar shows its numbers when it is pointed at, touched or focused;
 * a table has the same numbers. Works without scripts.
 */
export function chart(page: Page, { range, hours, now }: ChartOptions): Markup {
  const { texts, format } = page;
  const bars = barsOf(hours, now, range, format.timeZone);
  const busy = bars.filter(({ sent }) => sent > 0);
  const name = texts.chartRanges[range];
  if (busy.length === 0)
    return html`${ranges(page, range)}
      <p class="muted">${texts.chartNothing(name)}</p>`;
  const total = (count: (typeof COUNTED)[number]) =>
    format.number(bars.reduce((sum, bar) => sum + bar[count], 0));
  const maximum = niceMaximum(Math.max(...busy.map(({ sent }) => sent)));
  const counts = [total('sent'), total('accepted'), total('rejected'), total('deferred')] as const;
  return html`${ranges(page, range)}
    <figure class="chart">
      <figcaption>
        <p>${texts.chartSummary(name, ...counts)}</p>
        <ul class="legend">
          ${OUTCOMES.map((name) => html`<li><span class="swatch ${name}" aria-hidden="true"></span>${texts[name]}</li>`)}
        </ul>
      </figcaption>
      <p class="scale">${texts.chartUnits[CHART_RANGES[range].step]}</p>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          ${countTicks(maximum).map((count) => html`<span>${format.number(count)}</span>`)}
        </div>
        <div class="area">${drawing(page, bars, range, maximum)} ${values(page, bars)}</div>
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
  return [span(page, bar), ...OUTCOMES.map((name) => `${texts[name]} ${format.number(bar[name])}`)].join(
    ' · ',
  );
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
    [{ name: texts.chartTime }, ...COUNTED.map((name) => ({ name: texts[name], number: true as const }))],
    bars.toReversed().map((bar) => [span(page, bar), ...COUNTED.map((name) => format.number(bar[name]))]),
  );
}

/** Height of the bars, pixels; the width is that of the page, so places across are percentages. */
const HEIGHT = 160;
const BELOW = 22;
const FILLED = 0.8;
/** Beside their colours deferred and rejected have patterns, which `drawing` defines. */
const FILLS = {
  accepted: html`class="accepted"`,
  deferred: html`fill="url(#falling)"`,
  rejected: html`fill="url(#rising)"`,
};

/**
 * The bars with their axes; `maximum`: the number at the top. It says nothing to readers who do not see it: the values
 * beside it do.
 */
function drawing(page: Page, bars: readonly Bar[], range: ChartRange, maximum: number): Markup {
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
  let top = HEIGHT;
  return html`${OUTCOMES.map((name) => {
    const tall = Math.min(height(bar[name]), top);
    top -= tall;
    if (tall === 0) return '';
    const place = html`x="${x}" width="${width}" y="${top.toFixed(1)}" height="${tall.toFixed(1)}"`;
    return html`<rect ${FILLS[name]} ${place} />`;
  })}`;
}

const HOUR_MS = 3_600_000;

/** How the platform answered, in the order of the bars, from the bottom. */
const OUTCOMES = ['accepted', 'deferred', 'rejected'] as const;

const COUNTED = ['sent', ...OUTCOMES] as const;

type ChartStep = 'hour' | 'quarter' | 'day';

/** The ranges of the chart. The longer ones begin at midnight, so that each bar is a whole part of a day. */
export const CHART_RANGES = {
  '6h': { step: 'hour', bars: 6 },
  '48h': { step: 'hour', bars: 48 },
  '7d': { step: 'quarter', bars: 28 },
  '30d': { step: 'day', bars: 30 },
} as const satisfies Readonly<Record<string, { readonly step: ChartStep; readonly bars: number }>>;

export type ChartRange = keyof typeof CHART_RANGES;

/** The range that an address names; 48 hours if it names none. */
export function chartRange(asked: string | undefined): ChartRange {
  return asked !== undefined && Object.hasOwn(CHART_RANGES, asked) ? (asked as ChartRange) : '48h';
}

/** Hours to read for a range, with room for its first midnight. */
export function hoursOf(range: ChartRange): number {
  const { step, bars } = CHART_RANGES[range];
  return step === 'hour' ? bars : (step === 'day' ? bars : bars / 4) * 24 + 2;
}

/** What the platform answered within one part of the range, of all entities together. */
interface Bar extends Record<(typeof COUNTED)[number], number> {
  readonly from: Date;
  to: Date;
  /** Hour of the day at which it begins, in the zone of the page. */
  readonly hourOfDay: number;
  readonly future: boolean;
}

/** All bars of the range that ends with `now`, the oldest first, also the empty ones. */
export function barsOf(
  counted: readonly PushHour[],
  now: Date,
  range: ChartRange,
  timeZone: string,
): readonly Bar[] {
  const { step, bars: count } = CHART_RANGES[range];
  const local = localHours(timeZone);
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const today = local(last).day;
  const bars = new Map<string, Bar>();
  const ofHour = new Map<number, Bar>();
  // The present day is drawn to its end, so that a bar keeps its place.
  const end = last + (step === 'hour' ? 0 : 24 * HOUR_MS);
  for (let at = last - (hoursOf(range) - 1) * HOUR_MS; at <= end; at += HOUR_MS) {
    const { day, hour } = local(at);
    if (at > last && day !== today) break;
    const name = { hour: String(at), quarter: `${day} ${Math.floor(hour / 6)}`, day }[step];
    const times = { from: new Date(at), to: new Date(at + HOUR_MS), hourOfDay: hour, future: at > last };
    const bar = bars.get(name) ?? { ...times, sent: 0, accepted: 0, deferred: 0, rejected: 0 };
    bar.to = times.to;
    bars.set(name, bar);
    ofHour.set(at, bar);
  }
  for (const { hour, ...counts } of counted) {
    const bar = ofHour.get(hour.getTime());
    if (bar) for (const name of COUNTED) bar[name] += counts[name];
  }
  return [...bars.values()].slice(-count);
}

function localHours(timeZone: string): (at: number) => { readonly day: string; readonly hour: number } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const [day = '', hour = '0'] = format.format(at).split(' ');
    return { day, hour: Number(hour) };
  };
}

/** The numbers beside the chart, the largest first. `maximum`: of `niceMaximum`. */
export function countTicks(maximum: number): readonly number[] {
  const half = maximum / 2;
  return Number.isInteger(half) ? [maximum, half, 0] : [maximum, 0];
}

interface TimeTick {
  readonly index: number;
  readonly at: Date;
  /** It shows a day; else an hour. */
  readonly day: boolean;
  /** Left out where there is little room. */
  readonly minor: boolean;
}

/** The marks below the bars of a range: hours of a day, midnights, or every fifth day. */
export function timeTicks(bars: readonly Bar[], range: ChartRange): readonly TimeTick[] {
  // The text of a mark begins at its bar, so the last bars have no room for one.
  const last = bars.length * 0.9;
  return bars.flatMap(({ from, hourOfDay }, index) => {
    const tick = (day: boolean, minor: boolean) => (index > last ? [] : [{ index, at: from, day, minor }]);
    if (range === '6h') return tick(false, index % 2 === 1);
    if (range === '48h') return hourOfDay % 6 === 0 ? tick(hourOfDay === 0, hourOfDay % 12 !== 0) : [];
    if (range === '7d') return hourOfDay === 0 ? tick(true, index % 8 !== 0) : [];
    return index % 5 === 0 ? tick(true, index % 10 !== 0) : [];
  });
}

/** The next of 1, 2, 5, 10, 20, 50 … that is not below `value`. */
function niceMaximum(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
