import { largestUnit } from '../../largest-unit.js';
import type { Words } from './trouble-text.js';

/** English with the names that commands use, and times that do not depend on when they are read. */
export const PLAIN_WORDS: Words = {
  entity: (name) => name,
  area: (name) => `area ${name}`,
  number: (value) => value.toLocaleString('en'),
  when: (at) => `at ${at.toISOString()}`,
  span(ms) {
    const [unit, length] = largestUnit(ms);
    const value = Math.round((ms / length) * 10) / 10;
    return `${value.toLocaleString('en')} ${unit}${value === 1 ? '' : 's'}`;
  },
};
