import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { FaultsReport } from '../faults/active-faults.js';

/** Which faults are on and how many requests each took; what is still to be processed late. Pure. */
export function faultList({
  seed,
  rules,
  late,
}: FaultsReport): HtmlEscapedString | Promise<HtmlEscapedString> {
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
