import { timeLeft } from '../../telemetry/log.js';
import type { Work } from './track-work.js';

/** The speed of a work. */
export interface Pace {
  readonly perSecond: number;
  /** Null: unknown. */
  readonly secondsLeft: number | null;
  readonly elapsedMs: number;
}

/** The work's pace since it began. Pure. */
export function paceOf({ done, total, began }: Work, now: number): Pace {
  const elapsedMs = Math.max(now - began, 1);
  const speed = done / (elapsedMs / 1000);
  return {
    perSecond: Number(speed.toFixed(speed < 10 ? 1 : 0)),
    secondsLeft: total === null || done === 0 ? null : Math.ceil(Math.max(total - done, 0) / speed),
    elapsedMs,
  };
}

/** Widest bar, characters. */
const WIDEST_BAR = 24;
/** A narrower bar shows nothing useful. */
const NARROWEST_BAR = 8;

/**
 * One line shorter than `width` columns: the work's name, and as much of bar, count, pace and time left as fits. Pure.
 */
export function progressText(work: Work, now: number, width: number): string {
  const { perSecond, secondsLeft, elapsedMs } = paceOf(work, now);
  const count = (amount: number) => amount.toLocaleString('en-US');
  const { name, done, total } = work;
  const room = width - 1;
  const tail = [
    ...(done > 0 ? [`${count(perSecond)}/s`] : []),
    secondsLeft === null ? timeLeft(elapsedMs / 1000) : `${timeLeft(secondsLeft)} left`,
  ];
  const amount = total === null ? (done > 0 ? count(done) : '') : `${count(done)}/${count(total)}`;
  const words = [[name, amount].filter(Boolean).join(' '), ...tail].join(' · ');
  if (words.length > room) {
    const short = [name, amount].filter(Boolean).join(' ');
    return short.length > room ? `${short.slice(0, Math.max(room - 1, 0))}…` : short;
  }
  if (total === null) return words;
  const size = Math.min(room - words.length - 1, WIDEST_BAR);
  if (size < NARROWEST_BAR) return words;
  const full = Math.round((Math.min(done, total) / Math.max(total, 1)) * size);
  return `${name} ${'█'.repeat(full)}${'░'.repeat(size - full)} ${words.slice(name.length + 1)}`;
}
