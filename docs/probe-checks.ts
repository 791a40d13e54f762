import { PROBE_CHECKS } from '../src/domain/probe/checks.js';
import { table } from './table.js';

/** Every assumption that `probe` tries, and what changes it. */
export function probeChecksTable(): string {
  return table(
    ['check', 'what is assumed', 'setting'],
    PROBE_CHECKS.map(({ id, assumption, setting }) => [`\`${id}\``, assumption, setting]),
  );
}
