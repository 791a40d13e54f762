import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Area } from '../../domain/names.js';
import type { JournalEntry } from '../journal.js';
import type { Overview } from './overview.js';
import { deviationList } from './deviation-list.js';
import { faultList } from './fault-list.js';
import { STYLE, STYLE_HASH } from './style.js';

/** Apart, because white space around the style would change its hash. */
const styleElement = raw(`<style>${STYLE}</style>`);

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The page runs no script and loads nothing, so the text of a request cannot do either. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** The records and last requests of the sandbox, as a page for people; every text in it is escaped. Pure. */
export function overviewPage(overview: Overview): Markup {
  const { nowMs, folder, signatures, clientIds, kinds, faults, deviations, requests } = overview;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sandbox</title>
        ${styleElement}
      </head>
      <body>
        <h1>Sandbox</h1>
        <p>
          A local copy of the platform. ${kept(folder)} Its clock says ${time(nowMs)}; it expects signatures
          by ${ofAreas(signatures)} of client ${ofAreas(clientIds)}.
        </p>
        <p><a href="/_sandbox/openapi.json">Interface as OpenAPI 3.1</a></p>
        <h2>Records</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Area</th>
              <th scope="col" class="number">Held</th>
            </tr>
          </thead>
          <tbody>
            ${kinds.map(
              ({ kind, area, count }) =>
                html`<tr>
                  <td><a href="/_sandbox/records/${area}/${kind}">${kind}</a></td>
                  <td>${area}</td>
                  <td class="number">${count}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        ${deviationList(deviations)} ${faultList(faults)}
        <h2>Requests</h2>
        ${requests.length === 0 ? html`<p>None yet.</p>` : requestList(overview)}
      </body>
    </html>`;
}

function kept(folder: string | null): Markup {
  return folder === null
    ? html`It loses its records when it stops.`
    : html`It keeps its records in <code>${folder}</code>.`;
}

function ofAreas({ jobs, training }: Readonly<Record<Area, string>>): Markup {
  return jobs === training
    ? html`<code>${jobs}</code>`
    : html`<code>${jobs}</code> (jobs) or <code>${training}</code> (training)`;
}

function requestList({ requests, requestCount }: Overview): Markup {
  const shown =
    requestCount > requests.length ? `The last ${requests.length} of ${requestCount}` : String(requestCount);
  return html`<p>${shown}, the latest first; <a href="/_sandbox/requests">all as JSON</a></p>
    <ol>
      ${requests.map(requestItem)}
    </ol>`;
}

function requestItem({ atMs, method, path, status, message, faults }: Readonly<JournalEntry>): Markup {
  const refused = status === null || status >= 400;
  return html`<li>
    <span class="${refused ? 'status refused' : 'status'}">${status ?? '–'}</span>
    <span class="request"
      >${time(atMs)} <code>${method} ${path}</code> ${
        message === null ? '' : html`<span class="message">${message}</span>`
      }
      ${faults.length === 0 ? '' : html`<span>fault: ${faults.join(', ')}</span>`}</span
    >
  </li>`;
}

function time(ms: number): Markup {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
