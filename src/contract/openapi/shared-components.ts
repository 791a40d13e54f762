import { ERROR_ANSWERS, type ErrorAnswer } from '../error-answers.js';
import { MARK_KEY, MARK_WORDS } from '../mark.js';
import { REQUEST_HEADERS } from '../request-headers.js';
import type { JsonSchema, Refer } from './component-schemas.js';

/** References to the four headers, for every operation and webhook. */
export const HEADER_REFERENCES: readonly JsonSchema[] = REQUEST_HEADERS.map(({ name }) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** `components.parameters`: the record's id and the four headers. */
export function parameters(): Record<string, JsonSchema> {
  const headers = REQUEST_HEADERS.map(({ name, meaning, formMark, pattern, example }) => [
    name,
    {
      name,
      in: 'header',
      required: true,
      description: meaning,
      schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
      example,
      [MARK_KEY]: 'specified',
      'x-marks': { header: 'specified', form: MARK_WORDS[formMark] },
    },
  ]);
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'UUID of the record, chosen by the client.',
    schema: { type: 'string', format: 'uuid' },
    example: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
    [MARK_KEY]: 'specified',
  };
  return { id, ...(Object.fromEntries(headers) as Record<string, JsonSchema>) };
}

/** `components.responses`: the refusals. */
export function errorResponses(refer: Refer): Record<string, JsonSchema> {
  return Object.fromEntries(ERROR_ANSWERS.map((answer) => [answer.name, errorResponse(answer, refer)]));
}

function errorResponse({ meaning, mark, body, retryAfter }: ErrorAnswer, refer: Refer): JsonSchema {
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
    [MARK_KEY]: MARK_WORDS[mark],
    'x-marks': { status: MARK_WORDS[mark], body: MARK_WORDS.assumed },
  };
}
