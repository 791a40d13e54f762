import { html } from 'hono/html';
import type { Trouble } from '../../domain/trouble/trouble.js';
import { foreign } from './elements.js';
import type { Markup, Page } from './page.js';
import { recordDetails } from './record-troubles.js';
import { withFullStop } from '../../domain/text.js';
import { sampleKeys } from './sample-keys.js';

/** What a page shows of a trouble beside its text: records, and messages of the platform or a database. */
export function troubleDetails(page: Page, trouble: Trouble, title: string, now: Date): Markup {
  const { kind, message } = trouble;
  switch (kind) {
    case 'auth-refused':
    case 'area-stopped': {
      // In English the hint is in the text.
      const cause = page.language === 'en' ? null : trouble.hint;
      return html`${
        message === null && cause === null
          ? ''
          : html`<p class="muted">
              ${foreign(page, [message === null ? [] : withFullStop(message), cause ?? []].flat().join(' '))}
            </p>`
      }
      ${trouble.since === null ? '' : retryLine(page, trouble.retryAt, now)}`;
    }
    case 'held':
    case 'push-held':
    case 'drifted':
      return sampleKeys(page, trouble.subject.entity, trouble.sampleKeys);
    case 'run-failed':
    case 'failed':
      return html`<p><code>${trouble.code}</code> ${foreign(page, message ?? '')}</p>`;
    case 'rejected':
    case 'invalid':
    case 'unmapped':
    case 'blocked':
      return recordDetails(page, trouble, title);
    case 'deferred':
      return html`${message === null ? '' : html`<p class="muted">${foreign(page, message)}</p>`}
      ${recordDetails(page, trouble, title)}`;
    case 'standstill':
    case 'interrupted':
    case 'in-doubt':
    case 'stale':
      return html``;
  }
}

/** When the worker tries again by itself. */
function retryLine({ texts, format }: Page, at: Date | null, now: Date): Markup {
  if (at === null || at.getTime() - now.getTime() < 1_000) return html`<p>${texts.areaRetryNow}</p>`;
  return html`<p>${texts.areaRetry(format.age(at, now), format.time(at))}</p>`;
}
