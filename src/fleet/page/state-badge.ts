import { badge, type Tone } from '../../dashboard/pages/elements.js';
import type { Markup } from '../../dashboard/pages/page.js';
import type { TenantState } from '../tenant-state.js';
import type { FleetTexts } from '../text/fleet-texts.js';

const TONES: Readonly<Record<TenantState, Tone>> = {
  failing: 'bad',
  stale: 'bad',
  'needs-correction': 'warn',
  running: 'busy',
  waiting: 'quiet',
  paused: 'quiet',
  disabled: 'quiet',
  ok: 'good',
};

/** The state of a tenant as colour, sign and word. */
export function stateBadge(state: TenantState, { states }: FleetTexts): Markup {
  return badge(TONES[state], states[state]);
}
