import type { Words } from './trouble-text.js';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** English with the names that commands use, and times that do not depend on when they are read. */
export const PLAIN_WORDS: Words = {
  entity: (name) => name,
  area: (name) => `area ${name}`,
  number: (value) => value.toLocaleString('en'),
  when: (at) => `at ${at.toISOString()}`,
  span(ms) {
    const [unit, length] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? ['second', 1_000];
    const value = Math.round((ms / length) * 10) / 10;
    return `${value.toLocaleString('en')} ${unit}${value === 1 ? '' : 's'}`;
  },
};
