import type { Hash } from './hash.js';
import type { SourceValue } from './source-value.js';

/** Words for the reader of a trace. */
const PAYLOAD_NAMES = ['nothing', 'A', 'B', 'C of the other parent'];
const SOURCES = [...PAYLOAD_NAMES, 'A with the closed status', 'an invalid row'];
const REQUESTS = [...PAYLOAD_NAMES, 'a deletion', 'A, closed', 'B, closed', 'C of the other parent, closed'];
export const named = (hash: Hash) => REQUESTS[hash] ?? '?';
export const namedSource = (source: SourceValue) => SOURCES[source] ?? '?';
