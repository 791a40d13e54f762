import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** In what the sandbox differs from the interface, one setting a line. Pure. */
export function deviationList(deviations: object): HtmlEscapedString | Promise<HtmlEscapedString> {
  const lines = settingsOf(deviations, '');
  if (lines.length === 0)
    return html`<h2>Deviations</h2>
      <p>None: it answers as the interface says.</p>`;
  return html`<h2>Deviations</h2>
    <p><a href="/_sandbox/deviations">As JSON</a></p>
    <ul>
      ${lines.map((line) => html`<li><code>${line}</code></li>`)}
    </ul>`;
}

/** `replies.created: 201`; a list stays in one line. */
function settingsOf(block: object, prefix: string): readonly string[] {
  return Object.entries(block).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? settingsOf(value, `${prefix}${name}.`)
      : [`${prefix}${name}: ${JSON.stringify(value)}`],
  );
}
