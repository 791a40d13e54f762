import { REQUEST_TIMESTAMP_PATTERN } from './request-timestamp.js';
import type { Certainty } from './certainty.js';

/** One of the four headers of every request, in both directions (interface §5). */
export interface RequestHeader {
  readonly name: string;
  readonly meaning: string;
  /** Of the value's form; that the header is sent is specified. */
  readonly formCertainty: Certainty;
  readonly pattern?: string;
  readonly example: string;
}

export const REQUEST_HEADERS: readonly RequestHeader[] = [
  {
    name: 'Client-Id',
    meaning: 'Identifies the registered client.',
    formCertainty: 'specified',
    example: '7f1d2c3e-0000-4000-8000-000000000001',
  },
  {
    name: 'Request-Id',
    meaning: 'Unique text; prevents duplicate processing of the same request. A new one for every attempt.',
    formCertainty: 'specified',
    example: 'f3b6c1d2-5a4e-4f70-8b91-2c3d4e5f6a7b',
  },
  {
    name: 'Request-Timestamp',
    meaning: 'Time of sending: ISO 8601, UTC, whole seconds, Z.',
    formCertainty: 'documented',
    pattern: REQUEST_TIMESTAMP_PATTERN.source,
    example: '2022-09-22T01:51:00Z',
  },
  {
    name: 'Signature',
    meaning:
      'HMAC-SHA-256 over Client-Id, Request-Id, Request-Timestamp, Request-Target (path without host) and Digest (base64 of the SHA-256 of the body’s bytes; left out without a body), each as `Name:value`, joined by line feeds. Value: `HMACSHA256=` and the HMAC in base64.',
    formCertainty: 'assumed',
    example: 'HMACSHA256=46EZi0P3ZZa8AAJUbTTOhyyZ3MjtwGdLXh/wj24VB+0=',
  },
];
