import type { FleetReport } from './fleet-report.js';

/** The whole fleet in one word, for the first line that people read. */
export type FleetStanding = 'failing' | 'stale' | 'needs-correction' | 'fine' | 'empty';

/** How bad it is, and how many tenants need people. Paused and disabled ones are as somebody decided. Pure. */
export function fleetStanding({ counts, tenants }: FleetReport): {
  readonly standing: FleetStanding;
  readonly needing: number;
} {
  const bad = (['failing', 'stale', 'needs-correction'] as const).filter((state) => counts[state] > 0);
  return {
    standing: bad[0] ?? (tenants.length === 0 ? 'empty' : 'fine'),
    needing: counts.failing + counts.stale + counts['needs-correction'],
  };
}
