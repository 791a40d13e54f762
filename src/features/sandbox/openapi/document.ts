import { ERROR_ANSWERS } from '../error-answers.js';
import type { JsonSchema } from '../../../core/contract/reply-fields.js';
import {
  type Certainty,
  CERTAINTY_KEY,
  CERTAINTY_WORDS,
  type EntityContract,
  type Operation,
  type OperationKind,
  type OperationName,
  type Operations,
} from '../../../core/contract/operation.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../webhook/contract/events.js';
import {
  componentSchemas,
  errorResponses,
  parameterReferences,
  parameters,
  type Refer,
  SECURITY,
  securitySchemes,
  WEBHOOK_HEADERS,
} from './components.js';

/** The contract as an OpenAPI document: paths and webhooks from the entities, with the components of components.ts. */

type Area = Operation['area'];

interface Server {
  readonly url: string;
  readonly description?: string;
  readonly 'x-mark'?: string;
}

export interface OpenApiOptions {
  /** In the order in which they are shown. */
  readonly entities: readonly EntityContract[];
  /** Base addresses of each area; default: the operator's staging and production. */
  readonly servers?: Readonly<Record<Area, readonly Server[]>>;
  /** Overrides by name. Default: what the entities' contracts have. */
  readonly operations?: Operations;
  readonly examples?: {
    readonly operations?: Readonly<Record<OperationName, OperationExamples>>;
    /** Payloads by layout. */
    readonly webhooks?: Readonly<Record<string, unknown>>;
  };
}

/** Publicly documented by the operator. Staging and production have separate credentials. */
const PUBLIC_SERVERS: Readonly<Record<Area, readonly Server[]>> = {
  jobs: [
    publicServer('https://sandbox.joss.kemnaker.go.id', 'Job placement, staging'),
    publicServer('https://joss.kemnaker.go.id', 'Job placement, production'),
  ],
  training: [
    publicServer('https://sandbox.toss.kemnaker.go.id', 'Training, staging'),
    publicServer('https://toss.kemnaker.go.id', 'Training, production'),
  ],
};

function publicServer(url: string, description: string): Server {
  return { url, description, [CERTAINTY_KEY]: CERTAINTY_WORDS.documented };
}

function tags(entities: readonly EntityContract[]) {
  return [
    { name: 'jobs', description: `Job-placement area: ${recordsOf(entities, 'jobs')}.` },
    {
      name: 'training',
      description: `Training area: ${recordsOf(entities, 'training')}. It has servers of its own.`,
    },
    { name: 'webhooks', description: 'Calls from the platform to the partner.' },
  ];
}

function recordsOf(entities: readonly EntityContract[], area?: Area): string {
  const listed = entities.filter((each) => area === undefined || each.area === area);
  return listed.map(({ noun }) => noun.many).join(', ');
}

function description(entities: readonly EntityContract[]): string {
  return [
    `Create-or-update of ${recordsOf(entities)}, and the webhook for new job applications. Written by the maintainers of placement-sync from the service interface and public pages; it is not the operator’s own document.`,
    'Every request, in both directions, carries the headers Client-Id, Request-Id, Request-Timestamp and Signature. Requests to the platform also need `Accept: application/json`, and `Content-Type: application/json` with a body. A Put may be repeated; the client chooses the id in the path.',
    '`x-mark` says how sure a part is: `specified` in the service interface, `publicly-documented` by the operator, or `assumed` by analogy. On an operation it is the least sure of its `x-marks`; a field without one has the certainty of the body or reply that it stands in.',
    'Ids in examples are made up. Fields of replies have the types of the interface; a reader should bear null and missing fields.',
    'The interface does not specify which fields are required, or how long they may be. This document requires only what a record cannot do without.',
  ].join('\n\n');
}

/**
 * The contract as an OpenAPI 3.1 document, for integrations in other languages. Pure: data in, data out; the caller
 * writes it as JSON or YAML. The same options give the same document.
 */
export function openApiDocument(options: OpenApiOptions): JsonSchema {
  const { entities, servers = PUBLIC_SERVERS, examples } = options;
  const { schemas, refer } = componentSchemas(entities);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Job placement and training platform',
      version: 'v1',
      description: description(entities),
      contact: { name: 'placement-sync' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Those of every area, each once. A path has those of its own area.
    servers: [
      ...new Map(Object.values(servers).flatMap((list) => list.map((each) => [each.url, each]))).values(),
    ],
    security: SECURITY,
    tags: tags(entities),
    paths: paths(options, refer),
    webhooks: Object.fromEntries(
      WEBHOOK_EVENTS.map((event) => [event.name, webhookObject(event, refer, examples?.webhooks)]),
    ),
    components: {
      schemas,
      parameters: parameters(),
      responses: errorResponses(refer),
      securitySchemes: securitySchemes(),
    },
  };
}

function paths(
  { entities, servers = PUBLIC_SERVERS, operations = {}, examples = {} }: OpenApiOptions,
  refer: Refer,
): JsonSchema {
  const items: Record<string, JsonSchema> = {};
  for (const { noun, operations: contracted } of entities) {
    for (const operation of contracted.map((each) => operations[each.name] ?? each)) {
      const { area, method, name, path } = operation;
      const shared = { servers: servers[area], parameters: parameterReferences(operation) };
      items[path] = {
        ...(items[path] ?? shared),
        [method.toLowerCase()]: operationObject(operation, noun.one, refer, examples.operations?.[name]),
      };
    }
  }
  return items;
}

/** Values to show, by name; complete bodies and complete replies with their envelope. */
interface OperationExamples {
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly replies?: Readonly<Record<string, unknown>>;
}

const DESCRIPTIONS: Readonly<Record<OperationKind, (noun: string) => string>> = {
  PUT: (noun) => `Creates the ${noun} with this id, or updates it. It may be repeated.`,
  GET: (noun) => `Reads the ${noun} with this id as the platform holds it.`,
  DELETE: (noun) => `Deletes the ${noun} with this id.`,
  PATCH: (noun) =>
    `Sets the ${noun}. Nothing says that it may be repeated: an attempt without reply is repeated under the same Request-Id.`,
};

/** One operation as OpenAPI has it. `noun`: what one of its records is called. */
function operationObject(
  operation: Operation,
  noun: string,
  refer: Refer,
  examples: OperationExamples = {},
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
function media(schema: JsonSchema, examples: Readonly<Record<string, unknown>> = {}): JsonSchema {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }] as const);
  return named.length === 0 ? { schema } : { schema, examples: Object.fromEntries(named) };
}

/** One event as OpenAPI has it: a path item of the receiver. */
function webhookObject(
  event: WebhookEvent,
  refer: Refer,
  examples: Readonly<Record<string, unknown>> = {},
): JsonSchema {
  const { name, title, description, certainty, layouts } = event;
  const schema =
    layouts.length === 0
      ? { type: 'object', description: 'Not shown in the interface.' }
      : { oneOf: layouts.map((layout) => ({ ...refer(layout.schema), title: layout.title })) };
  const shown = Object.fromEntries(
    Object.entries(examples).filter(([layout]) => layouts.some((each) => each.name === layout)),
  );
  return {
    post: {
      operationId: name,
      summary: title,
      description,
      tags: ['webhooks'],
      security: SECURITY,
      parameters: WEBHOOK_HEADERS,
      requestBody: { required: true, content: { 'application/json': media(schema, shown) } },
      responses: {
        '200': {
          description: 'Received.',
          content: { 'application/json': { schema: { type: 'object' }, example: {} } },
        },
        default: {
          description:
            'Not received: the receiver did not store the call. It is assumed that the platform sends it again.',
          [CERTAINTY_KEY]: CERTAINTY_WORDS.assumed,
        },
      },
      [CERTAINTY_KEY]: CERTAINTY_WORDS[certainty],
      'x-maturity': 'Webhook',
    },
  };
}

/** The least sure of several certainties. */
function weakest(certainties: readonly Certainty[]): Certainty {
  if (certainties.includes('assumed')) return 'assumed';
  return certainties.includes('documented') ? 'documented' : 'specified';
}
