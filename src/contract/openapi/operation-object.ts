import { ERROR_ANSWERS } from '../error-answers.js';
import { CERTAINTY_KEY, CERTAINTY_WORDS, weakest, type Certainty } from '../certainty.js';
import type { Operation, OperationKind } from '../operation.js';
import type { JsonSchema } from '../documented.js';
import type { Refer } from './component-schemas.js';

/** Values to show, by name; complete bodies and complete replies with their envelope. */
export interface OperationExamples {
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly replies?: Readonly<Record<string, unknown>>;
}

export interface OperationContext {
  readonly refer: Refer;
  /** What one of its records is called. */
  readonly noun: string;
  readonly examples: OperationExamples | undefined;
}

const DESCRIPTIONS: Readonly<Record<OperationKind, (noun: string) => string>> = {
  PUT: (noun) => `Creates the ${noun} with this id, or updates it. It may be repeated.`,
  GET: (noun) => `Reads the ${noun} with this id as the platform holds it.`,
  DELETE: (noun) => `Deletes the ${noun} with this id.`,
  PATCH: (noun) => `Sets the ${noun}. Nothing says that it may be repeated.`,
};

/** One operation as OpenAPI has it. */
export function operationObject(
  operation: Operation,
  { refer, noun, examples = {} }: OperationContext,
): JsonSchema {
  const { name, title, area, maturity, body, kind, enabledByDefault } = operation;
  const certainties = Object.entries(operation.certainty).filter(
    (entry): entry is [string, Certainty] => entry[1] !== null,
  );
  return {
    operationId: name,
    summary: title,
    description: DESCRIPTIONS[kind](noun),
    tags: [area],
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': media(refer(body), examples.bodies) },
          },
        }),
    responses: {
      '200': {
        description:
          kind === 'DELETE' ? 'Deleted. The interface does not show the content of the reply.' : 'Success.',
        content: { 'application/json': media(envelopeOf(operation, refer), examples.replies) },
      },
      ...Object.fromEntries(
        ERROR_ANSWERS.filter(({ methods }) => methods.includes(kind)).map((answer) => [
          String(answer.status),
          { $ref: `#/components/responses/${answer.name}` },
        ]),
      ),
    },
    [CERTAINTY_KEY]: CERTAINTY_WORDS[weakest(certainties.map(([, certainty]) => certainty))],
    'x-marks': Object.fromEntries(certainties.map(([part, certainty]) => [part, CERTAINTY_WORDS[certainty]])),
    ...(maturity === null ? {} : { 'x-maturity': maturity }),
    'x-enabled-by-default': enabledByDefault,
  };
}

/** The envelope of interface §1 around `data`; a delete may answer with anything. */
function envelopeOf({ kind, reply }: Operation, refer: Refer): JsonSchema {
  if (kind === 'DELETE') return {};
  return {
    type: 'object',
    properties: {
      data: refer(reply),
      meta: { $ref: '#/components/schemas/ServerInformation' },
    },
    required: ['data', 'meta'],
  };
}

/** A media type object. */
export function media(schema: JsonSchema, examples: Readonly<Record<string, unknown>> = {}): JsonSchema {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }] as const);
  return named.length === 0 ? { schema } : { schema, examples: Object.fromEntries(named) };
}
