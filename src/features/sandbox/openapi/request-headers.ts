import type { Certainty } from '../../../core/contract/operation.js';
import { REQUEST_TIMESTAMP_PATTERN } from '../../../core/contract/time.js';
import { HEADER_NAMES } from '../../../core/contract/request-headers.js';

/** What differs in webhooks. */
interface HeaderForm {
  readonly meaning: string;
  /** Of the value's form; that the header is sent is specified. */
  readonly formCertainty: Certainty;
  readonly pattern?: string;
  readonly example: string;
}

/** One of the four headers of every request, in both directions (interface §5). */
export interface RequestHeader extends HeaderForm {
  readonly name: string;
  /** Of a webhook; absent: the same. */
  readonly ofWebhook?: HeaderForm;
}

const SIGNED = 'each as `Name:value`, joined by line feeds. Value: `HMACSHA256=` and the HMAC in base64.';

const EXAMPLE_SIGNATURE = 'HMACSHA256=46EZi0P3ZZa8AAJUbTTOhyyZ3MjtwGdLXh/wj24VB+0=';

export const REQUEST_HEADERS: readonly RequestHeader[] = [
  {
    name: HEADER_NAMES.clientId,
    meaning: 'Identifies the registered client.',
    formCertainty: 'specified',
    example: 'example-client',
  },
  {
    name: HEADER_NAMES.requestId,
    meaning: 'Unique text; prevents duplicate processing of the same request. A new one for every attempt.',
    formCertainty: 'specified',
    example: 'example-request-0001',
    ofWebhook: {
      meaning:
        'Unique text. A call that is sent again may have another one (assumed), so an application is recognised by its own id.',
      formCertainty: 'specified',
      example: 'example-webhook-0001',
    },
  },
  {
    name: HEADER_NAMES.timestamp,
    meaning: 'Time of sending: ISO 8601, UTC, whole seconds, Z.',
    formCertainty: 'documented',
    pattern: REQUEST_TIMESTAMP_PATTERN.source,
    example: '2022-09-22T01:51:00Z',
    ofWebhook: {
      meaning: 'Time of sending: ISO 8601 in any of its forms, UTC where it names no offset; or Unix time.',
      formCertainty: 'specified',
      example: '2022-09-22T01:51:00+00:00',
    },
  },
  {
    name: HEADER_NAMES.signature,
    meaning: `HMAC-SHA-256 over Client-Id, Request-Id, Request-Timestamp, Request-Target (path without host) and Digest (base64 of the SHA-256 of the body’s bytes; left out without a body), ${SIGNED}`,
    formCertainty: 'assumed',
    example: EXAMPLE_SIGNATURE,
    ofWebhook: {
      meaning: `HMAC-SHA-256 over Client-Id, Request-Id, Request-Timestamp as sent, Request-Target (the path of the receiver’s own address) and Digest (base64 of the SHA-256 of the body’s bytes), ${SIGNED}`,
      formCertainty: 'assumed',
      example: EXAMPLE_SIGNATURE,
    },
  },
];
