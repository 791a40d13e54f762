import { html } from 'hono/html';
import type { StoppedArea } from '../area-watch.js';
import { codeText } from '../text/code-text.js';
import { runNow } from './buttons.js';
import { foreign } from './elements.js';
import type { Markup, Page } from './page.js';
import type { Told } from './told.js';

/** Codes whose hint names the likely cause; the others' says what every run does. */
const TELLING: readonly string[] = ['authentication-refused', 'redirected'];

/** An area to which nothing is sent: why, when it is tried again, and what can be done. */
export function toldOfArea(page: Page, { area, code, message, hint, retryAt }: StoppedArea, now: Date): Told {
  const { texts } = page;
  const why = codeText(texts.errorCodes, code);
  const cure = codeText(texts.areaCures, code);
  return {
    title: texts.areaStopped(texts.areaNames[area]),
    urgent: true,
    reason: [
      why ?? '',
      html`<p class="muted">
        ${foreign(page, TELLING.includes(code) ? `${sentence(message)} ${hint}` : sentence(message))}
      </p>`,
      retry(page, retryAt, now),
    ],
    cure: [cure, texts.areaTryNow].filter((part) => part !== null).join(' '),
    buttons: [runNow(page)],
  };
}

function retry({ texts, format }: Page, at: Date | null, now: Date): Markup {
  if (at === null || at.getTime() - now.getTime() < 1_000) return html`<p>${texts.areaRetryNow}</p>`;
  return html`<p>${texts.areaRetry(format.age(at, now), format.time(at))}</p>`;
}

/** Ends with a stop, so that something may follow. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
