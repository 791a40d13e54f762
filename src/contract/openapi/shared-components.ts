import { ERROR_ANSWERS, type ErrorAnswer } from '../error-answers.js';
import { CERTAINTY_KEY, CERTAINTY_WORDS } from '../certainty.js';
import { REQUEST_HEADERS } from '../request-headers.js';
import type { JsonSchema, Refer } from './component-schemas.js';

/** References to the four headers, for every operation and webhook. */
export const HEADER_REFERENCES: readonly JsonSchema[] = REQUEST_HEADERS.map(({ name }) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** `components.parameters`: the record's id and the four headers. */
export function parameters(): Record<string, JsonSchema> {
  const headers = REQUEST_HEADERS.map(({ name, meaning, formCertainty, pattern, example }) => [
    name,
    {
      name,
      in: 'header',
      required: true,
      description: meaning,
      schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
      example,
      [CERTAINTY_KEY]: 'specified',
      'x-marks': { header: 'specified', form: CERTAINTY_WORDS[formCertainty] },
    },
  ]);
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'UUID of the record, chosen by the client.',
    schema: { type: 'string', format: 'uuid' },
    example: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
    [CERTAINTY_KEY]: 'specified',
  };
  return { id, ...(Object.fromEntries(headers) as Record<string, JsonSchema>) };
}

/** `components.responses`: the refusals. */
export function errorResponses(refer: Refer): Record<string, JsonSchema> {
  return Object.fromEntries(ERROR_ANSWERS.map((answer) => [answer.name, errorResponse(answer, refer)]));
}

function errorResponse({ meaning, certainty, body, retryAfter }: ErrorAnswer, refer: Refer): JsonSchema {
  const headers = {
    'Retry-After': {
      description: 'Seconds to wait, or an HTTP date.',
      schema: { type: 'string' },
      example: '30',
    },
  };
  return {
    description: meaning,
    ...(retryAfter ? { headers } : {}),
    content: { 'application/json': { schema: refer(body) } },
    [CERTAINTY_KEY]: CERTAINTY_WORDS[certainty],
    'x-marks': { status: CERTAINTY_WORDS[certainty], body: CERTAINTY_WORDS.assumed },
  };
}
