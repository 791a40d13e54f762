/**
 * Tables of the journal, whose columns never break a word; and how pages are printed: text and tables in black on white,
 * without what only works on a screen.
 */
export const REPORT_STYLE = `
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
  tr, .facts div { break-inside: avoid; }
  th, td { padding: 0.15rem 0.5rem 0.15rem 0; }
  pre { max-height: none; }
}
`;
