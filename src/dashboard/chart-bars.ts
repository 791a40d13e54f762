import type { PushHour } from '../ports/queue.js';

const HOUR_MS = 3_600_000;

/** How much time a bar of the chart stands for. */
export type ChartStep = 'hour' | 'quarter' | 'day';

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
export interface Bar {
  readonly from: Date;
  to: Date;
  /** Hour of the day at which it begins, in the zone of the page. */
  readonly hourOfDay: number;
  /** It has not begun yet. */
  readonly future: boolean;
  sent: number;
  accepted: number;
  rejected: number;
  deferred: number;
}

/** All bars of the range that ends with `now`, the oldest first, also the empty ones. Pure. */
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
    const bar = bars.get(name) ?? emptyBar(at, hour, at > last);
    bar.to = new Date(at + HOUR_MS);
    bars.set(name, bar);
    ofHour.set(at, bar);
  }
  for (const { hour, ...counts } of counted) {
    const bar = ofHour.get(hour.getTime());
    if (bar) for (const name of COUNTED) bar[name] += counts[name];
  }
  return [...bars.values()].slice(-count);
}

const COUNTED = ['sent', 'accepted', 'rejected', 'deferred'] as const;

function emptyBar(at: number, hourOfDay: number, future: boolean): Bar {
  return {
    from: new Date(at),
    to: new Date(at + HOUR_MS),
    hourOfDay,
    future,
    sent: 0,
    accepted: 0,
    rejected: 0,
    deferred: 0,
  };
}

interface LocalHour {
  readonly day: string;
  readonly hour: number;
}

/** Day and hour of a moment in the zone. */
function localHours(timeZone: string): (at: number) => LocalHour {
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
