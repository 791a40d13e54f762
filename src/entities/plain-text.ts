import { createRequire } from 'node:module';
import type { compile, HtmlToTextOptions } from 'html-to-text';

const require = createRequire(import.meta.url);

/**
 * Loaded and compiled with the first text that needs it: most have no HTML, and many commands read no text at all. To
 * compile the options takes twenty times as long as a usual text.
 */
let convert: ReturnType<typeof compile> | undefined;

const HEADING = { options: { uppercase: false } };

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  // Documents nested deeper are cut there instead of overflowing the stack.
  limits: { maxDepth: 200, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'h1', ...HEADING },
    { selector: 'h2', ...HEADING },
    { selector: 'h3', ...HEADING },
    { selector: 'h4', ...HEADING },
    { selector: 'h5', ...HEADING },
    { selector: 'h6', ...HEADING },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
  ],
};

const TAG = /<[a-z/!?]/i;

/**
 * HTML as plain text: blocks and `<br>` become line breaks, list items lines, entities characters; addresses of
 * links and pictures are dropped. Text without a tag keeps its own line breaks and blanks; only its entities are
 * decoded.
 */
export function plainText(html: string): string {
  if (TAG.test(html)) return converted(html);
  return html.includes('&') ? converted(`<pre>${html}</pre>`) : html;
}

function converted(html: string): string {
  convert ??= (require('html-to-text') as { compile: typeof compile }).compile(OPTIONS);
  return convert(html);
}
