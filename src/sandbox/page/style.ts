import { createHash } from 'node:crypto';

/** Readable from the width of a phone on: what is long breaks, nothing scrolls sideways. */
export const STYLE = `
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

/** Allows an element with exactly this style, and no other. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
