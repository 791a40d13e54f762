import { CHECKS } from '../src/onboarding/doctor/checks.js';
import { table } from './table.js';

/** Every check of `doctor`, in its order. */
export function doctorChecksTable(): string {
  return table(
    ['check', 'level', 'what it looks at', 'what to do'],
    CHECKS.map(({ id, levels, looksAt, remedy }) => [
      `\`${id}\``,
      levels.length === 0 ? 'pass' : levels.join(', '),
      looksAt,
      remedy,
    ]),
  );
}
