/** How pages are printed: text and tables in black on white, without what only works on a screen. */
export const PRINT_STYLE = `
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
  tr, .facts div { break-inside: avoid; }
  th, td { padding: 0.15rem 0.5rem 0.15rem 0; }
  pre { max-height: none; }
}
`;
