import type { TenantReport, TenantState } from '../../fleet/fleet-report.js';
import type { Colour } from './colours.js';
import { localTime } from './local-time.js';
import type { Cell } from './table.js';

const COLOURS: Readonly<Partial<Record<TenantState, Colour>>> = {
  failing: 'red',
  stale: 'red',
  'needs-correction': 'yellow',
};

/** Its state, in the colour of that. Pure. */
export function stateCell(state: TenantState): Cell {
  return { text: state, colour: COLOURS[state] ?? null };
}

/** When it last succeeded, and what it has to send. Pure. */
export function progressCells(
  { lastSuccessAt, pending }: TenantReport,
  timeZone: string,
): readonly [lastSuccess: Cell, pending: Cell] {
  return [lastSuccessAt === null ? 'never' : localTime(new Date(lastSuccessAt), timeZone), pending ?? '-'];
}
