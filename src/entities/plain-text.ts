import { createRequire } from 'node:module';
import type { compile, FormatCallback, HtmlToTextOptions } from 'html-to-text';
import { fault } from './value/reading.js';
import type { Reading } from './value/reading.js';

/*
 * Whoever may write into the partner's portal writes this text, so its size is bounded before it is parsed: the work
 * grows with tags and lines, which nesting multiplies, and a text without end would stop every other record, too.
 */

const require = createRequire(import.meta.url);

/** Longest text with HTML, characters. Pictures inside of it count, although they are dropped. */
const LONGEST = 2_000_000;

/** Most tags, line breaks and entities by number of a text with HTML: many times those of a long description. */
const MOST_MARKS = 10_000;

/** Levels of nesting; what is deeper is cut. */
const DEEPEST = 50;

/** Stands between two cells of a row. */
const CELL_GAP = '   ';

/**
 * Loaded and compiled with the first text that needs it: most have no HTML, and many commands read no text at all. To
 * compile the options takes twenty times as long as a usual text.
 */
let convert: ReturnType<typeof compile> | undefined;

const HEADING = { options: { uppercase: false } };

const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const cell: FormatCallback = (element, walk, builder) => {
  const siblings = element.parent?.children ?? [];
  const first = siblings.find(({ name }) => name === 'td' || name === 'th');
  if (first !== element) builder.addLiteral(CELL_GAP);
  walk(element.children, builder);
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  // Documents nested deeper are cut there instead of overflowing the stack.
  limits: { maxDepth: DEEPEST, ellipsis: '…' },
  formatters: { row, cell },
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
    // Not the library's own tables: they copy a cell as often as its colspan and rowspan say.
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'tr', format: 'row' },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
};

const TAG = /<[a-z/!?]/i;

/**
 * HTML as plain text: blocks and `<br>` become line breaks, list items and rows of tables lines, entities characters;
 * addresses of links and pictures are dropped. Text without a tag keeps its own line breaks and blanks; only its
 * entities are decoded. Fault `range`: a text with HTML that is too large to be converted.
 */
export function plainText(html: string): Reading<string> {
  if (TAG.test(html)) return converted(html, html);
  return html.includes('&') ? converted(html, `<pre>${html}</pre>`) : { value: html };
}

function converted(text: string, html: string): Reading<string> {
  if (text.length > LONGEST) return tooLarge(`more than ${LONGEST.toLocaleString('en')} characters`);
  if (marks(text) > MOST_MARKS)
    return tooLarge(`more than ${MOST_MARKS.toLocaleString('en')} tags, lines and entities`);
  convert ??= (require('html-to-text') as { compile: typeof compile }).compile(OPTIONS);
  const plain = convert(html);
  return plain.length > LONGEST ? tooLarge('nested too deeply') : { value: plain };
}

const LESS_THAN = 60;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** `&#10;` is a line break, too. */
function isNumbered(text: string, at: number, code: number): boolean {
  return code === 38 && text.charCodeAt(at + 1) === 35;
}

function marks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= MOST_MARKS; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LESS_THAN || code === LINE_FEED || code === CARRIAGE_RETURN || isNumbered(text, at, code))
      count += 1;
  }
  return count;
}

function tooLarge(how: string): ReturnType<typeof fault> {
  return fault(
    'range',
    `is HTML that is too large to become plain text: ${how}`,
    'Shorten the text at its source, or convert it in the query.',
  );
}
