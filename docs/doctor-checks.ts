import { CHECKS } from '../src/features/doctor/checks.js';

/** Every check of `doctor`, in its order. What to do is not among it: each finding has its own hint. */
export function doctorChecksList(): string {
  return CHECKS.map(
    ({ id, levels, looksAt }) =>
      `- \`${id}\` (${levels.length === 0 ? 'pass' : levels.join(', ')}): ${looksAt}`,
  ).join('\n');
}
