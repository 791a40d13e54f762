import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { createHash } from 'node:crypto';
import type { Area } from '../../core/domain/names.js';
import { ENTITIES } from '../../core/entities/index.js';
import type { FaultsReport } from './faults.js';
import type { JournalEntry } from './journal.js';
import type { Sandbox } from './sandbox-state.js';

/** Readable from the width of a phone on: what is long breaks, nothing scrolls sideways. */
const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
code { font-size: 0.9em; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #8888; padding: 0.25rem 1rem 0.25rem 0; text-align: left; }
.number { font-variant-numeric: tabular-nums; padding-right: 0; text-align: right; }
ol { list-style: none; margin: 0; padding: 0; }
li { border-bottom: 1px solid #8888; display: flex; gap: 0.75rem; padding: 0.25rem 0; }
.status { flex: none; font-variant-numeric: tabular-nums; font-weight: 600; width: 2rem; }
.refused { color: #c5221f; }
@media (prefers-color-scheme: dark) { .refused { color: #ff8a80; } }
.request { min-width: 0; overflow-wrap: anywhere; }
.request > * { display: inline-block; margin-right: 0.5rem; max-width: 100%; }
.message { font-style: italic; }
`;

/** Apart, because white space around the style would change its hash. */
const styleElement = raw(`<style>${STYLE}</style>`);

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Allows an element with exactly this style, and no other. */
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** The page runs no script and loads nothing, so the text of a request cannot do either. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const SHOWN_REQUESTS = 50;

/** The records and last requests of the sandbox, as a page for people; every text in it is escaped. */
export function overviewPage(sandbox: Sandbox): Markup {
  const { clients, profiles, store } = sandbox;
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
          A local copy of the platform. It loses its records when it stops. Its clock says
          ${time(sandbox.now())}; it expects signatures by ${ofAreas((area) => profiles[area].name)} of client
          ${ofAreas((area) => clients[area].clientId)}.
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
            ${ENTITIES.map(
              ({ name, area }) =>
                html`<tr>
                  <td><a href="/_sandbox/records/${area}/${name}">${name}</a></td>
                  <td>${area}</td>
                  <td class="number">${store.count(name)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        ${faultList(sandbox.faults.report())}
        <h2>Requests</h2>
        ${sandbox.journal.size === 0 ? html`<p>None yet.</p>` : requestList(sandbox)}
      </body>
    </html>`;
}

function ofAreas(name: (area: Area) => string): Markup {
  const [jobs, training] = [name('jobs'), name('training')];
  return jobs === training
    ? html`<code>${jobs}</code>`
    : html`<code>${jobs}</code> (jobs) or <code>${training}</code> (training)`;
}

function requestList({ journal }: Sandbox): Markup {
  const requests = journal.latest(SHOWN_REQUESTS);
  const shown =
    journal.size > requests.length ? `The last ${requests.length} of ${journal.size}` : String(journal.size);
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

/** Which faults are on and how many requests each took; what is still to be processed late. */
function faultList({ seed, rules, late }: FaultsReport): Markup {
  const waiting = late === 0 ? '' : html`<p>Dropped and to be processed late: ${late}</p>`;
  if (rules.length === 0)
    return html`<h2>Faults</h2>
      <p>None.</p>
      ${waiting}`;
  return html`<h2>Faults</h2>
    <p>By seed ${seed}; <a href="/_sandbox/faults">as JSON</a></p>
    <table>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Fault</th>
          <th scope="col" class="number">Requests</th>
          <th scope="col" class="number">Fired</th>
        </tr>
      </thead>
      <tbody>
        ${rules.map(
          ({ name, fault, requests, fired }) =>
            html`<tr>
              <td>${name}</td>
              <td><code>${fault}</code></td>
              <td class="number">${requests}</td>
              <td class="number">${fired}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${waiting}`;
}
