import type { compile, FormatCallback, HtmlToTextOptions } from 'html-to-text';
import { createRequire } from 'node:module';
import type { Row } from '../domain/row.js';
import { convertInThread } from './conversion-thread.js';
import type { MapContext } from './entity.js';
import { fault, type Fault, type Reading } from './values.js';

/**
 * HTML as plain text. Whoever may write into the partner's portal writes it, so nothing that it says may be lost, and no
 * text may hold up the others.
 *
 * A text first loses what is no content (comments, declarations), and every `<` that begins no tag becomes text
 * (`markTags`). What has tags then goes through the library; in a text without one only entities are decoded, and if that
 * gives HTML, it was escaped, and is converted in turn. A result that lacks something, or has HTML left, is doubtful.
 *
 * A long text is converted in a thread of its own with a limit of time, before its row is mapped (`convertLarge`). Bounds of
 * its form (tags, lines, depth) were tried twice, and a text was found each time that kept within them and took minutes.
 */

const require = createRequire(import.meta.url);

/** Longest text with HTML, characters. Pictures inside of it count, although they are dropped. */
const LONGEST = 2_000_000;

/** A shorter text is converted at once: the worst of them takes some ten milliseconds. */
const LARGE = 20_000;

/** Levels of nesting; what is deeper is cut. */
const DEEPEST = 50;

/** How often a text may have been escaped. */
const MOST_ESCAPES = 3;

/** Stands between two cells of a row. */
const CELL_GAP = '   ';

/** Stands where a text is cut; no character of any text. */
const CUT = '\uFDD0';

/** Texts of rows that were converted before they are mapped, by column. */
const ready = new WeakMap<Row, Map<string, Reading<string>>>();

/** Converts the long texts of these rows. To be awaited before the rows are mapped. */
export async function convertLarge(
  rows: Iterable<Row>,
  { plainText: columns }: Pick<MapContext, 'plainText'>,
): Promise<void> {
  for (const row of rows) {
    for (const column of columns) {
      const text = row[column];
      if (typeof text !== 'string' || text.length <= LARGE || !/[<&]/.test(text)) continue;
      const texts = ready.get(row) ?? new Map<string, Reading<string>>();
      ready.set(row, texts);
      texts.set(
        column,
        text.length > LONGEST ? tooLarge('it has too many characters') : await inThread(text),
      );
    }
  }
}

async function inThread(text: string): Promise<Reading<string>> {
  return (await convertInThread(text)) ?? tooLarge('it takes too long, or too much memory');
}

/** A text of a row as plain text: as `convertLarge` made it, or made now. */
export function convertedText(row: Row, column: string, text: string): Reading<string> {
  return ready.get(row)?.get(column) ?? plainText(text);
}

/**
 * Blocks and `<br>` become line breaks, list items and rows of tables lines, entities characters; a link keeps its
 * address, a picture its alternative text. Text without a tag keeps its own line breaks and blanks. Fault `range`: a text
 * that is too large to be converted.
 */
export function plainText(html: string, escapes = 0): Reading<string> {
  if (!/[<&]/.test(html)) return { value: html };
  if (html.length > LONGEST) return tooLarge('it has too many characters');
  const { text, hasTags } = markTags(html);
  const converted = hasTags || html.includes('&') ? library()(hasTags ? text : `<pre>${text}</pre>`) : html;
  if (converted.length > LONGEST) return tooLarge('it is nested too deeply');
  const plain = converted.replaceAll(CUT, '…');
  if (!hasTags && escapes < MOST_ESCAPES && ESCAPED.test(plain)) return plainText(plain, escapes + 1);
  const doubt = doubtOf(html, converted);
  return doubt === null ? { value: plain } : { value: plain, warning: doubt };
}

function doubtOf(html: string, plain: string): Fault | null {
  if (plain.trim() === '' && MEDIA.test(html))
    return doubtful(
      'becomes nothing as plain text: it is a picture, a form or a script without words',
      'Write its words into the source.',
    );
  if (plain.includes(CUT))
    return doubtful(
      'is HTML that is nested too deeply, so a part of it is cut',
      'Simplify it at its source.',
    );
  return HTML.test(plain) || PARTS.test(plain)
    ? doubtful(
        'still has HTML after it became plain text',
        'If it is escaped twice, correct it at its source. If the words are meant so, leave it.',
      )
    : null;
}

function doubtful(message: string, hint: string): Fault {
  return { code: 'doubtful', message, hint };
}

function tooLarge(how: string): ReturnType<typeof fault> {
  return fault(
    'range',
    `is HTML that is too large to become plain text: ${how}`,
    'Shorten the text at its source, or convert it in the query.',
  );
}

/** What people write in editors; a lone `<` or `&` is none of it. */
const USUAL =
  'p|br|div|span|ul|ol|li|b|i|u|strong|em|a|h[1-6]|table|tbody|tr|td|th|img|script|style|font|hr|blockquote|pre|code';

/** Tags and entities that people write in editors. */
export const HTML = new RegExp(
  String.raw`<\/?(?:${USUAL})(?:\s[^<>]*)?\/?>|&(?:nbsp|amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5}|[lr][sd]quo|hellip|bull|[mn]dash);`,
  'i',
);

/** What is left of a text that was cut in the middle of its HTML. */
const PARTS = /<!--|<!\[CDATA|<[a-z]\w* [\w-]+=["']/i;

/** The end of a tag, or a line break: more than a text about HTML has. Also escaped once more. */
const ESCAPED = new RegExp(String.raw`(?:<|&lt;)(?:\/(?:${USUAL})|br\s*\/?)\s*(?:>|&gt;)`, 'i');

/** What has content that is no text. */
const MEDIA = /<(?:img|picture|iframe|video|audio|object|embed|svg|canvas|input|select|script|style)\b/i;

/** Tags wherever they stand. */
const TAGS = new Set(
  (
    'a abbr acronym b bdi bdo big blockquote body br button caption center cite col colgroup dd del dfn dir div dl dt em ' +
    'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 header hr html i iframe img input ins kbd ' +
    'legend li marquee nobr ol p pre q s samp section small span strike strong sub sup svg table tbody td tfoot th thead tr ' +
    'tt u ul wbr xml'
  ).split(' '),
);

/** Words that people write in angle brackets, too: tags only with an attribute, or if they are closed. */
const WORDS = new Set(
  (
    'address applet area article aside audio base canvas circle code data datalist defs details dialog embed g hgroup label ' +
    'line link main map mark menu meta meter nav noframes noscript object optgroup option output param path picture polygon ' +
    'progress rect rp rt ruby select source stop summary symbol template time track use var video'
  ).split(' '),
);

/** What is in them is no text of the page, up to their end: without one they would take all that follows. */
const ENCLOSING = new Set(['head', 'script', 'style', 'textarea', 'title']);

/** Of Word and its kin: `o:p`. */
const PREFIXED = /^(?:[a-z]\d?|st\d|ns\d|fb|mc|pic|svg|wp|xsl):[a-z]/;

const NO_CONTENT = /<!--[^]*?-->|<!doctype[^>]*>|<!\[(?:if|endif)[^>]*>|<\?xml[^>]*>/gi;
const CDATA = /<!\[CDATA\[([^]*?)\]\]>/g;

/** The text without what is no content, and with every `<` that begins no tag as an entity. */
function markTags(html: string): { readonly text: string; readonly hasTags: boolean } {
  const content = html.replace(CDATA, '$1').replace(NO_CONTENT, '');
  const closed = new Map<string, number>();
  for (const { 1: name = '', index } of content.matchAll(/<\/([a-z][a-z0-9]*)/gi))
    closed.set(name.toLowerCase(), index);
  let hasTags = content !== html;
  const text = content.replace(
    /<(\/?)([a-z][a-z0-9]*(?::[a-z0-9]*)?)?/gi,
    (start, slash: string, word: string | undefined, at: number) => {
      const name = word?.toLowerCase() ?? '';
      const attributes = word === undefined ? null : attributesEnd(content, at + start.length);
      const isClosed = slash !== '' || (closed.get(name) ?? -1) > at;
      const isTag =
        attributes !== null &&
        (TAGS.has(name) ||
          (WORDS.has(name) && (isClosed || attributes > 0)) ||
          (ENCLOSING.has(name) && isClosed) ||
          PREFIXED.test(name));
      hasTags ||= isTag;
      return isTag ? start : `&lt;${start.slice(1)}`;
    },
  );
  return { text, hasTags };
}

const ATTRIBUTE = /(?:\s+|(?<=["']))([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]*))?/y;
const TAG_END = /\s*\/?\s*>/y;

/** Attributes without a value; a framework's own have a dash or an underscore. */
const ALONE =
  /[-_:]|^(?:allowfullscreen|async|autofocus|autoplay|checked|compact|controls|declare|defer|disabled|download|hidden|ismap|itemscope|loop|multiple|muted|nohref|noresize|noshade|novalidate|nowrap|open|playsinline|readonly|required|reversed|selected)$/i;

/** How many attributes stand between here and the end of the tag; null: it is no tag. */
function attributesEnd(text: string, from: number): number | null {
  ATTRIBUTE.lastIndex = from;
  let count = 0;
  let end = from;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, name = '', value] = found;
    if (value === undefined && !ALONE.test(name)) return null;
    count += 1;
    end = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = end;
  return TAG_END.test(text) ? count : null;
}

/**
 * Loaded and compiled with the first text that needs it: most have no HTML, and many commands read no text at all. To
 * compile the options takes twenty times as long as a usual text.
 */
let convert: ReturnType<typeof compile> | undefined;

function library(): ReturnType<typeof compile> {
  convert ??= (require('html-to-text') as { compile: typeof compile }).compile(OPTIONS);
  return convert;
}

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

const picture: FormatCallback = ({ attribs }, _walk, builder) => {
  builder.addInline((attribs as Readonly<Record<string, string>>).alt ?? '');
};

const link: FormatCallback = (element, walk, builder) => {
  const address = addressOf((element.attribs as Readonly<Record<string, string>>).href ?? '');
  let text = '';
  builder.pushWordTransform((word) => {
    text += word;
    return word;
  });
  walk(element.children, builder);
  builder.popWordTransform();
  if (address === '' || bareAddress(text).includes(bareAddress(address))) return;
  builder.addInline(text === '' ? address : ` (${address})`, { noWordTransform: true });
};

/** Where a link leads, for people; empty: nowhere outside of its page. */
function addressOf(href: string): string {
  const address = href.trim();
  if (/^(?:https?:\/\/|www\.)\S+$/i.test(address)) return address;
  if (/^\/\/\S+$/.test(address)) return `https:${address}`;
  return /^(?:mailto|tel):([^?\s]+)/i.exec(address)?.[1] ?? '';
}

/** Without what people leave out of an address. */
function bareAddress(address: string): string {
  return address
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/\/$/, '')
    .replace(/[\s()-]/g, '');
}

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  // Text before and after a body is content, too.
  baseElements: { selectors: ['whole-text'] },
  // Documents nested deeper are cut there instead of overflowing the stack.
  limits: { maxDepth: DEEPEST, ellipsis: CUT },
  formatters: { row, cell, link, picture },
  selectors: [
    { selector: 'a', format: 'link' },
    { selector: 'img', format: 'picture' },
    { selector: 'head', format: 'skip' },
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
