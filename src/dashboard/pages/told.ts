import type { Markup } from './page.js';

/** What a need comes to on the page. */
export interface Told {
  readonly title: string;
  readonly urgent: boolean;
  readonly reason: readonly (string | Markup)[];
  readonly cure: string;
  readonly buttons?: readonly Markup[];
  readonly commands?: readonly Markup[];
}
