import type { EntityContract } from '../entity-contract.js';
import { CERTAINTY_KEY, CERTAINTY_WORDS } from '../certainty.js';
import type { Operation, OperationName, Operations } from '../operation.js';
import { WEBHOOK_EVENTS } from '../webhook/events.js';
import type { JsonSchema } from '../documented.js';
import { componentSchemas, type Refer } from './component-schemas.js';
import { operationObject, type OperationExamples } from './operation-object.js';
import {
  errorResponses,
  parameterReferences,
  parameters,
  SECURITY,
  securitySchemes,
} from './shared-components.js';
import { webhookObject } from './webhook-object.js';

type Area = Operation['area'];

export interface Server {
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
export const PUBLIC_SERVERS: Readonly<Record<Area, readonly Server[]>> = {
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

function recordsOf(entities: readonly EntityContract[], area: Area): string {
  const names = entities.filter((each) => each.area === area).map(({ noun }) => noun.many);
  return names.join(', ');
}

function description(entities: readonly EntityContract[]): string {
  const all = entities.map(({ noun }) => noun.many).join(', ');
  return [
    `Create-or-update of ${all}, and the webhook for new job applications. Written by the maintainers of placement-sync from the service interface and public pages; it is not the operator’s own document.`,
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
  const { entities, servers = PUBLIC_SERVERS, operations = {}, examples = {} } = options;
  const listed = entities.flatMap((entity) => entity.operations.map((each) => operations[each.name] ?? each));
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
    servers: allServers(servers),
    security: SECURITY,
    tags: tags(entities),
    paths: paths(entities, listed, refer, servers, examples.operations ?? {}),
    webhooks: Object.fromEntries(
      WEBHOOK_EVENTS.map((event) => [event.name, webhookObject(event, refer, examples.webhooks)]),
    ),
    components: {
      schemas,
      parameters: parameters(),
      responses: errorResponses(refer),
      securitySchemes: securitySchemes(),
    },
  };
}

/** Those of every area, each once. A path has those of its own area. */
function allServers(servers: Readonly<Record<Area, readonly Server[]>>): readonly Server[] {
  return [
    ...new Map(Object.values(servers).flatMap((list) => list.map((each) => [each.url, each]))).values(),
  ];
}

function paths(
  entities: readonly EntityContract[],
  operations: readonly Operation[],
  refer: Refer,
  servers: Readonly<Record<Area, readonly Server[]>>,
  examples: Readonly<Record<OperationName, OperationExamples>>,
): JsonSchema {
  const items: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const shared = {
      servers: servers[operation.area],
      parameters: parameterReferences(operation),
    };
    items[operation.path] = {
      ...(items[operation.path] ?? shared),
      [operation.method.toLowerCase()]: operationObject(operation, {
        refer,
        noun: nounOf(entities, operation),
        examples: examples[operation.name],
      }),
    };
  }
  return items;
}

/** What its records are called. */
function nounOf(entities: readonly EntityContract[], { entity }: Operation): string {
  return entities.find(({ name }) => name === entity)?.noun.one ?? entity;
}
