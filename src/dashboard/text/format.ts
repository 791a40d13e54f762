import { platformTimestamp } from '../../core/contract/time.js';
import type { JournalCoverage, JournalGap } from '../../features/report/report.js';
import { ENGLISH, type Texts } from './english.js';
import type { Language } from '../../core/domain/names.js';
import { largestUnit } from '../../core/domain/text.js';

export type Format = ReturnType<typeof createFormat>;

/** Numbers and times as people of a language write them. */
export function createFormat(language: Language, timeZone: string) {
  const numbers = new Intl.NumberFormat(language);
  const dateTimes = new Intl.DateTimeFormat(language, {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const times = new Intl.DateTimeFormat(language, { timeZone, timeStyle: 'medium', hourCycle: 'h23' });
  const hours = new Intl.DateTimeFormat(language, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const days = new Intl.DateTimeFormat(language, { timeZone, day: 'numeric', month: 'short' });
  const ages = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  return {
    timeZone,
    number: (value: number) => numbers.format(value),
    dateTime: (at: Date) => dateTimes.format(at),
    time: (at: Date) => times.format(at),
    /** Hour and minute. */
    hour: (at: Date) => hours.format(at),
    day: (at: Date) => days.format(at),
    /** What is soon, by its hour alone. */
    soon: (at: Date, now: Date) =>
      (at.getTime() - now.getTime() < 12 * 3_600_000 ? hours : dateTimes).format(at),
    /** `WIB` where that is usual; else the name of the zone. */
    zone: (at: Date) =>
      new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' })
        .formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')
        ?.value.replace(/^(GMT|UTC)[+−-].*/, timeZone) ?? timeZone,
    /** How long ago, or how long from now: `3 minutes ago`. */
    age(at: Date, now: Date) {
      const ms = at.getTime() - now.getTime();
      const [unit, length] = largestUnit(Math.abs(ms));
      return ages.format(Math.trunc(ms / length), unit);
    },
    /** A span without direction: `3 minutes`. */
    span(ms: number) {
      const [unit, length] = largestUnit(ms);
      // 90 seconds are no 2 minutes.
      const value = Math.round((ms / length) * 10) / 10;
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
    },
  };
}

/** Of which parts of its days a report knows nothing, as sentences. */
export function unknownLines(
  { noBeginning, begins, incomplete }: Texts['report'],
  { knownFrom, unknown }: JournalCoverage,
  timeZone: string,
): readonly string[] {
  if (knownFrom === null) return [noBeginning];
  const at = (time: Date) => platformTimestamp(time.getTime(), timeZone);
  return unknown.map(({ from, to }) => (from === null ? begins(at(to)) : incomplete(at(from), at(to))));
}

/** The same of one gap, for a line of a file: in English, whoever reads it. */
export function gapSentence(timeZone: string) {
  return (gap: JournalGap, coverage: JournalCoverage): string =>
    unknownLines(ENGLISH.report, { ...coverage, unknown: [gap] }, timeZone)[0] ?? '';
}
