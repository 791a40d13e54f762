import { html } from 'hono/html';
import type { JsonValue } from '../../domain/row.js';
import type { TimelineEntry } from '../../sync/explain/explain-record.js';
import type { FieldChange } from '../../sync/plan/describe-change.js';
import { deliveryTable } from './delivery-table.js';
import { dataTable, explainCommand } from './elements.js';
import type { Markup, Page } from './page.js';

/** Requests that the page of a record lists. */
const LISTED = 20;

/** Longest value of a field, characters. */
const LONGEST = 300;

export interface TimelinePart {
  readonly entity: string;
  readonly key: string;
  /** The oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** Between what the platform accepted last and what is desired. */
  readonly changes: readonly FieldChange[];
}

/** The requests about a record, the latest first, and what will change with the next one. */
export function timelinePart(page: Page, { entity, key, timeline, changes }: TimelinePart): Markup {
  const { report } = page.texts;
  const shown = timeline.slice(-LISTED).toReversed();
  const earlier = timeline.length - shown.length;
  return html`<section class="card journal" aria-labelledby="timeline">
      <h2 id="timeline">${report.timeline}</h2>
      ${
        shown.length === 0
          ? html`<p class="muted">${report.timelineNothing}</p>`
          : deliveryTable(
              page,
              report.timeline,
              shown.map((entry) => ({ ...entry, answeredAt: new Date(entry.answeredAt) })),
            )
      }
      ${
        earlier > 0
          ? html`<p class="terminal">
              ${report.earlier(page.format.number(earlier))} ${explainCommand(page, entity, key, '--json')}
            </p>`
          : ''
      }
    </section>
    ${changes.length === 0 ? '' : changed(page, changes)}`;
}

function changed({ texts }: Page, changes: readonly FieldChange[]): Markup {
  const { report } = texts;
  return html`<section class="card journal" aria-labelledby="changes">
    <h2 id="changes">${report.changes}</h2>
    ${dataTable(
      report.changes,
      [{ name: texts.field }, { name: report.before }, { name: report.now }],
      changes.map(({ field, from, to }) => [
        html`<code>${field}</code>`,
        valueText(from, report.empty),
        valueText(to, report.empty),
      ]),
    )}
  </section>`;
}

function valueText(value: JsonValue, empty: string): Markup {
  if (value === null) return html`<span class="muted">${empty}</span>`;
  const text = JSON.stringify(value);
  return html`<code>${text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`}</code>`;
}
