import { createHash } from 'node:crypto';
import { SCRIPT } from './assets/script.js';

interface Asset {
  readonly type: string;
  readonly text: string;
}

/** Rows become blocks: where a table has no room for its columns. `table`: a selector. */
const blocks = (table: string) => `
  ${table} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${table}, ${table} :is(tbody, tr, th, td) { display: block; }
  ${table} tbody tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  ${table} tbody tr:last-child { border-bottom: 0; }
  ${table} tbody tr.noted { border-bottom: 0; padding-bottom: 0; }
  ${table} tbody th { font-weight: 600; }
  ${table} tbody :is(td, th) { border: 0; padding: 0.1rem 0; }
  ${table} tbody td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 0.5rem; text-align: left; }
  ${table} tbody td::before { content: attr(data-label); color: var(--muted); grid-row: 1 / 9; }
  ${table} tbody tr.note td { display: block; }
  ${table} tbody tr.note td::before { content: none; }
  ${table} tbody td > * { grid-column: 2; justify-self: start; }
  ${table} tbody td.number { display: inline-flex; gap: 0.4rem; margin-right: 1rem; }
`;

/** From the width of a phone (320 px) to a wall display; in light and dark; what is long breaks, nothing scrolls sideways. */
const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f6f3; --card: #ffffff; --line: #dcdcd5; --text: #1d2126; --muted: #575f69;
  --accent: #0b57a4; --on-accent: #ffffff;
  --good: #1b6a3b; --busy: #0b57a4; --warn: #8a4a00; --bad: #b0221a; --quiet: #575f69;
  --good-back: #e4f2e8; --busy-back: #e3eefa; --warn-back: #fdeed8; --bad-back: #fce6e4; --quiet-back: #ecece7;
  --bar-accepted: #5a9c76; --bar-deferred: #e0a458; --bar-rejected: #c9483f;
  --grey-1: #9aa3ad; --grey-2: #b9bec5; --grey-3: #d5d8dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2127; --line: #333a43; --text: #e5e8eb; --muted: #a5afba;
    --accent: #8cbcff; --on-accent: #0d1a2b;
    --good: #86d8a3; --busy: #8cbcff; --warn: #f3bd70; --bad: #ff9f95; --quiet: #a5afba;
    --good-back: #1a3325; --busy-back: #1a2c45; --warn-back: #3a2a12; --bad-back: #431d1b; --quiet-back: #2a3038;
    --bar-accepted: #4f9a70; --bar-deferred: #c98b3c; --bar-rejected: #d9574d;
    --grey-1: #77818c; --grey-2: #59626d; --grey-3: #434b55;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 76rem; padding: 0 1.25rem 2rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; overflow-wrap: anywhere;
}
h1, h2, h3 { line-height: 1.25; margin: 0; font-weight: 650; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.0625rem; margin: 2rem 0 0.75rem; }
h3 { font-size: 1rem; }
p { margin: 0.5rem 0; }
a { color: var(--accent); text-underline-offset: 0.15em; }
code, pre, .key { font: 0.9em/1.5 ui-monospace, 'SFMono-Regular', Consolas, 'Liberation Mono', monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
main { padding-top: 0.375rem; }
.muted { color: var(--muted); }
.line, .error { display: block; }
.short { white-space: nowrap; }
.error { color: var(--bad); }
.skip { position: absolute; left: -100rem; top: 0.5rem; background: var(--card); padding: 0.5rem 1rem; z-index: 1; }
.skip:focus { left: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; }
.card + .card { margin-top: 1rem; }
.card > h2:first-child { margin-top: 0; }

header { display: flex; align-items: center; gap: 0.25rem 1.25rem; min-height: 48px; }
.name, .search button { flex: none; white-space: nowrap; }
.name { font-weight: 700; color: var(--text); text-decoration: none; }
.where { color: var(--muted); font-size: 0.875rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 4rem; }
.menu { margin-left: auto; flex: none; }
.menu ul { display: flex; gap: 0.25rem 1.125rem; list-style: none; margin: 0; padding: 0; }
.menu a { display: inline-block; padding: 0.25rem 0; text-decoration: none; }
.menu a:hover { text-decoration: underline; }
.menu [aria-current='page'] { color: var(--text); font-weight: 650; border-bottom: 2px solid var(--accent); }
.more { position: relative; }
.more ul { position: absolute; right: 0; z-index: 1; display: block; min-width: 11rem; padding: 0.5rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.phone { display: none; }
.search { display: flex; gap: 0.5rem; align-items: center; }
.search input { width: 10rem; }
.search :is(input, button) { min-height: 2.25rem; padding-block: 0.25rem; }
.search label > span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.languages { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; font-size: 0.875rem; }
.languages [aria-current] { color: var(--text); text-decoration: none; font-weight: 650; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.875rem; }
footer:not(:has(*)) { display: none; }

button, .button, input, select {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--muted); border-radius: 6px;
  padding: 0.375rem 0.75rem; min-height: 2.5rem; max-width: 100%;
}
input, select { min-width: 0; }
button, .button { cursor: pointer; font-weight: 550; }
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover { color: var(--on-accent); text-decoration: underline; }
button.danger { background: var(--bad); border-color: var(--bad); color: var(--page); }
button.danger:hover { color: var(--page); text-decoration: underline; }
a.button { color: inherit; text-decoration: none; line-height: 1.6; }
button.quiet { border-color: var(--line); font-weight: 400; min-height: 2rem; font-size: 0.875rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin-top: 0.75rem; }
.button { display: inline-block; list-style: none; }
.button::-webkit-details-marker { display: none; }
.question > form { display: inline-block; margin-right: 0.5rem; }
.question { border-left: 3px solid var(--accent); margin-top: 0.5rem; padding: 0.25rem 0 0.25rem 1rem; }
details > summary:not(.button) { cursor: pointer; color: var(--accent); padding: 0.25rem 0; }
.choice, .login { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 1rem 0; }
.choice label span, .login label span { display: block; font-size: 0.875rem; color: var(--muted); }
.login label { flex: 1 1 14rem; }
.login input { width: 100%; }

.badge { display: inline-flex; align-items: baseline; gap: 0.4em; border-radius: 999px; padding: 0.1em 0.7em 0.1em 0.55em; font-weight: 600; font-size: 0.875rem; }
.sign { font-weight: 800; }
.badge.good { color: var(--good); background: var(--good-back); }
.badge.busy { color: var(--busy); background: var(--busy-back); }
.badge.warn { color: var(--warn); background: var(--warn-back); }
.badge.bad { color: var(--bad); background: var(--bad-back); }
.badge.quiet { color: var(--quiet); background: var(--quiet-back); }
.verdict { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; }
.verdict .badge { font-size: 1.25rem; padding: 0.15em 0.7em 0.15em 0.55em; }
.verdict p { margin: 0; }
.verdict .buttons { margin: 0 0 0 auto; }
.verdict .standing { flex-basis: 100%; font-weight: 550; }
.message { background: var(--good-back); color: var(--good); border-radius: 8px; padding: 0.625rem 1rem; font-weight: 550; }
.outdated [data-live] { opacity: 0.5; }
.message.lost { background: var(--bad-back); color: var(--bad); }

.cards, .causes, .samples, .counts, .lines { list-style: none; margin: 0; padding: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; }
.cards .card + .card { margin-top: 0; }
.counts { display: grid; grid-template-columns: 1fr 1fr; gap: 0.125rem 1rem; }
.counts .count { min-width: 1.75rem; font-variant-numeric: tabular-nums; font-weight: 650; }
.counts a { display: inline-flex; gap: 0.75ch; padding: 0.125rem 0; }

.answer { display: flex; flex-direction: column; }
.answer h2, .answer ~ section h2 { margin: 1rem 0 0.25rem; font-size: 0.9375rem; color: var(--muted); }
.answer ~ section p { margin: 0; }
#health :is(th, td) { height: 36px; padding-block: 0; vertical-align: middle; }
#health thead th { height: 24px; }
#health td:nth-child(2) { width: 18%; }
#health .badge { font-size: 0.8125rem; margin-left: 0.5rem; white-space: nowrap; }
#health .zero { color: var(--muted); }
#health a { text-decoration: none; }
#health a:hover { text-decoration: underline; }
#health :is(.invalid, .rejected) { color: var(--bad); font-weight: 650; }
.shares { display: block; border-radius: 4px; background: var(--quiet-back); }
.shares .synced { fill: var(--bar-accepted); }
.shares .toSend { fill: var(--grey-2); }
.shares .waits { fill: var(--bar-deferred); }
.shares .needs { fill: var(--bar-rejected); }

.causes > li { border-top: 1px solid var(--line); }
.causes > li:last-child { border-bottom: 1px solid var(--line); }
.causes summary:not(.button) { color: inherit; }
.causes > li > details > summary:not(.button) {
  display: grid; grid-template-columns: 1.25rem minmax(0, 6fr) minmax(0, 5fr) 6rem 6.5rem; gap: 0 0.75rem; align-items: center;
  min-height: 43px; padding: 0; list-style: none;
}
.causes > li > details > summary::-webkit-details-marker { display: none; }
.causes > li > details > summary:hover { background: var(--card); }
.causes > li > #more-causes > summary:not(.button) { display: flex; color: var(--accent); }
.causes .bad .sign { color: var(--bad); }
.causes .warn .sign { color: var(--warn); }
.causes .quiet > details > summary { color: var(--muted); }
.causes :is(.what, .whose) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.causes .what { font-weight: 550; }
.causes .quiet .what { font-weight: 400; }
.causes :is(.whose, .who) { color: var(--muted); font-size: 0.9375rem; }
.causes .verb { color: var(--accent); font-weight: 550; text-align: right; }
.causes .verb::after { content: ' ▾'; }
.causes details[open] > summary .verb::after { content: ' ▴'; }
.causes details[open] > summary :is(.what, .whose) { white-space: normal; }
.detail { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.75rem 1.25rem 1rem; margin: 0.25rem 0 1rem; }
.detail table { margin-top: 0.25rem; }
.samples li { margin: 0.25rem 0; }
.keys { display: inline-flex; flex-wrap: wrap; gap: 0 0.75rem; }
.keys .key { min-width: 0; }
.terminal { color: var(--muted); font-size: 0.9375rem; }
.command { color: var(--text); background: var(--quiet-back); padding: 0.125rem 0.4rem; border-radius: 4px; user-select: all; }
.copied-command { display: inline-flex; max-width: 100%; align-items: center; gap: 0.25rem; margin: 0.125rem 0.5rem 0.125rem 0; }
.copied-command code { min-width: 0; }
.copy { display: none; position: relative; flex: none; }
.copies .copy { display: inline-block; }
/* The bar comes with the first tick; a browser without :has shows it always. */
@supports selector(:has(*)) {
  form:not(:has([name='key']:checked)) > .bar { display: none; }
}
.bar { position: sticky; bottom: 0; padding: 0.5rem 0; background: var(--page); }
.choice .check { display: flex; gap: 0.5rem; align-items: center; min-height: 2.5rem; }
.check input { min-height: 0; width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }

.chart { margin: 0; font-size: 0.875rem; }
.chart figcaption { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.chart p { display: flex; justify-content: space-between; }
.drawing { display: block; margin-top: 0.25rem; }
.swatch { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; margin-right: 0.4em; }
.swatch.accepted { background: var(--bar-accepted); }
.swatch.deferred { background: var(--bar-deferred); }
.swatch.rejected { background: var(--bar-rejected); }
svg .accepted { fill: var(--bar-accepted); }
svg .deferred { fill: var(--bar-deferred); }
svg .rejected { fill: var(--bar-rejected); }
.base { stroke: var(--muted); }

table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { overflow-wrap: break-word; text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
thead th { color: var(--muted); font-size: 0.875rem; font-weight: 550; }
tbody tr:last-child > * { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
th.long, td.long { overflow-wrap: anywhere; min-width: 9rem; }
td time, th time, td .badge { white-space: nowrap; }
.noted > * { border-bottom: 0; padding-bottom: 0; }
.wide th, .wide td { padding-right: 0.625rem; }
.wide thead th { font-size: 0.8125rem; }
.wide .note td { padding-top: 0; }
tr > :last-child { padding-right: 0; }
thead th { white-space: nowrap; }
td .key, th .key { display: inline-block; min-width: 8ch; }
#list .buttons { align-items: flex-start; }
#list .buttons > a { padding: 0.5rem 0; }
.choice input:not([type='checkbox']) { width: 12rem; }
.pick { display: flex; gap: 0.625rem; align-items: flex-start; }
.pick input { flex: none; min-height: 0; width: 1.125rem; height: 1.125rem; margin: 0.2rem 0 0; accent-color: var(--accent); }
.facts { margin: 0; }
.facts div { display: grid; grid-template-columns: minmax(9rem, 1fr) 2fr; gap: 0 1rem; padding: 0.3rem 0; border-bottom: 1px solid var(--line); }
.facts div:last-child { border-bottom: 0; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; min-width: 0; }
#list .card, .record + p + .card { margin-top: 1rem; }
.pages { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin-top: 1.25rem; }
.pages a { padding: 0.25rem 0; }
.record .muted { display: block; font-size: 1rem; font-weight: 400; }
.notice { max-width: 40rem; margin: 2rem auto; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 32rem; overflow-y: auto; }

@media screen and (max-width: 68rem) {
  ${blocks('table.wide')}
  header { flex-wrap: wrap; padding-top: 0.25rem; }
  .search { margin-left: auto; }
  #health thead th { white-space: normal; }
  #health .badge { white-space: normal; margin-left: 0; }
  #health :is(th, td):nth-child(2), .causes .who { display: none; }
  .causes > li > details > summary:not(.button) { grid-template-columns: 1.25rem minmax(0, 6fr) minmax(0, 5fr) 6.5rem; }
}
@media screen and (max-width: 44rem) {
  body { padding: 0 0.75rem 1.5rem; }
  .card { padding: 0.875rem; }
  #health thead th { white-space: nowrap; }
  .verdict .muted { font-size: 0.875rem; }
  .where { order: 1; flex-basis: 100%; }
  .search { order: 2; width: 100%; }
  .search label { flex: 1; min-width: 0; }
  .search input { width: 100%; }
  .phone { display: block; }
  .phone:not([open]) + ul { display: none; }
  .menu:has(.phone[open]) { order: 1; width: 100%; }
  .menu > ul { display: block; padding: 0.5rem 0; }
  .menu a { padding: 0.5rem 0; }
  .more ul { position: static; }
  ${blocks('table')}
  #health { order: 1; }
  #waits { order: 2; }
  #health tbody tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 0.375rem 0; }
  #health tbody th { flex-basis: 100%; height: auto; }
  #health tbody td { display: block; height: auto; width: auto; margin: 0; }
  #health tbody td:nth-child(2) { display: block; flex: 0 0 100%; padding: 0.25rem 0; }
  #health tbody td:nth-child(2)::before, #health tbody td:has(.zero) { display: none; }
  #health tbody td::before { display: inline; font-size: inherit; }
  .causes > li > details > summary:not(.button) { grid-template-columns: 1.25rem minmax(0, 1fr) auto; min-height: 52px; gap: 0 0.5rem; }
  .causes .what { grid-column: 2 / 4; align-self: end; }
  .causes .whose { grid-column: 2; grid-row: 2; align-self: start; }
  .causes .verb { grid-column: 3; grid-row: 2; align-self: start; }
  .causes .sign { grid-row: 1 / 3; }
  .detail { padding: 0.5rem 0.75rem; }
  .facts div { grid-template-columns: 1fr; }
}
@media screen and (max-width: 30rem) {
  table tbody td { display: block; }
  table tbody td::before { display: block; font-size: 0.875rem; }
  table tbody td.number::before { display: inline; font-size: inherit; }
  table tbody td:not(.number) { padding: 0.25rem 0; }
  .counts { grid-template-columns: 1fr; }
  .verdict .badge { font-size: 1.0625rem; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button, a { transition: color 0.15s, border-color 0.15s; }
}
@media (forced-colors: active) {
  .badge, .card { border: 1px solid; }
}
`;

/**
 * Tables of the journal, whose columns never break a word; and how pages are printed: text and tables in black on white,
 * without what only works on a screen.
 */
const REPORT_STYLE = `
.journal :is(th, td) { overflow-wrap: break-word; }
.journal :is(time, .day) { white-space: nowrap; min-width: 0; }
.journal tr > .number { padding-right: 0.5rem; }
.journal thead th { font-size: 0.8125rem; }
.journal .key { overflow-wrap: anywhere; }
h1 + .card { margin-top: 1rem; }
@media screen and (max-width: 52rem) {
  .journal table { font-size: 0.8125rem; }
  .journal thead th { font-size: 0.6875rem; }
  .journal tr > .number { padding-right: 0.25rem; }
}
@media print {
  :root {
    --page: #ffffff; --card: #ffffff; --line: #999999; --text: #000000; --muted: #333333; --accent: #000000;
  }
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  header, nav, form, .skip, .buttons, #live { display: none !important; }
  a { text-decoration: none; }
  .card { border: 0; border-radius: 0; padding: 0; }
  h2, thead { break-after: avoid; }
  thead { display: table-header-group; }
  thead th { white-space: normal; }
  table { font-size: 9pt; }
  .journal thead th { font-size: 8pt; }
  .journal time.parted { white-space: normal; }
  tr, .facts div { break-inside: avoid; }
  th, td { padding: 0.15rem 0.5rem 0.15rem 0; }
  pre { max-height: none; }
}
`;

/** Two arrows that meet: what is here and what is there. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M7 12h15l-4-4m7 12H10l4 4" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const ASSETS = {
  'dashboard.css': { type: 'text/css; charset=utf-8', text: STYLE + REPORT_STYLE },
  'dashboard.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT },
  'icon.svg': { type: 'image/svg+xml', text: ICON },
} as const satisfies Readonly<Record<string, Asset>>;

type AssetName = keyof typeof ASSETS;

/** What a page loads. It is the same for everybody, so it needs no token. */
export const ASSET_NAMES = Object.keys(ASSETS) as readonly AssetName[];

export function asset(name: AssetName): Asset {
  return ASSETS[name];
}

/** Its address. It changes with the content, so browsers may keep the file forever. */
export function assetPath(name: AssetName): string {
  return `/${name}?v=${createHash('sha256').update(ASSETS[name].text).digest('hex').slice(0, 12)}`;
}
