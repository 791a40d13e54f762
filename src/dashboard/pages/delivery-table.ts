import { html } from 'hono/html';
import { platformTimestamp } from '../../contract/time.js';
import type { DeliveryOutcome } from '../../domain/report.js';
import { withoutStatus } from '../../domain/reply/reply.js';
import { badge, dataTable, foreign, type Tone } from './elements.js';
import type { Markup, Page } from './page.js';

const TONES: Readonly<Record<DeliveryOutcome, Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  deferred: 'warn',
  'handed-back': 'warn',
  unknown: 'quiet',
};

export interface ShownDelivery {
  readonly answeredAt: Date;
  readonly operation: string;
  readonly outcome: DeliveryOutcome;
  readonly statusCode: number | null;
  readonly reason: string | null;
  readonly requestId: string;
  /** Absent: the whole table is about one record. */
  readonly record?: Markup;
}

/** Requests, one row each: when, what, and how the platform answered. */
export function deliveryTable(page: Page, caption: string, deliveries: readonly ShownDelivery[]): Markup {
  const { texts } = page;
  const { report } = texts;
  const withRecord = deliveries.some(({ record }) => record !== undefined);
  return dataTable(
    caption,
    [
      { name: report.answeredAt },
      ...(withRecord ? [{ name: report.record }] : []),
      { name: report.operation },
      { name: report.answer },
      { name: texts.requestId },
    ],
    deliveries.map((delivery) => [
      exactTime(page, delivery.answeredAt),
      ...(withRecord ? [delivery.record ?? ''] : []),
      html`<code>${delivery.operation}</code>`,
      answer(page, delivery),
      html`<code>${delivery.requestId}</code>`,
    ]),
  );
}

/** With year and seconds: it is a proof. */
function exactTime({ format }: Page, at: Date): Markup {
  return html`<time datetime="${at.toISOString()}"
    >${platformTimestamp(at.getTime(), format.timeZone)}</time
  >`;
}

function answer(page: Page, { outcome, statusCode, reason }: ShownDelivery): Markup {
  const { texts } = page;
  const said = withoutStatus(reason, statusCode);
  return html`${badge(TONES[outcome], texts.report.outcomes[outcome])}
    <span class="muted short"
      >${statusCode === null ? texts.noReply : `${texts.httpStatus} ${statusCode}`}</span
    >
    ${said === null ? '' : html`<span class="line">${foreign(page, said)}</span>`}`;
}
