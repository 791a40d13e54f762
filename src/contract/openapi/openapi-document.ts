import type { EntityContract } from '../entity-contract.js';
import { CERTAINTY_KEY, CERTAINTY_WORDS } from '../certainty.js';
import type { Operation, OperationName, Operations } from '../operation.js';
import { WEBHOOK_EVENTS } from '../webhook/events.js';
import { componentSchemas, type JsonSchema, type Refer } from './component-schemas.js';
import { operationObject, type OperationExamples } from './operation-object.js';
import { errorResponses, HEADER_REFERENCES, parameters } from './shared-components.js';
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
    `Create-or-update of ${all}, and the webhook for new job applications.`,
    'Every request, in both directions, carries the headers Client-Id, Request-Id, Request-Timestamp and Signature. Requests to the platform also need `Accept: application/json`, and `Content-Type: application/json` with a body. A Put may be repeated; the client chooses the id in the path.',
    '`x-mark` says how sure a part is: `specified` in the service interface, `publicly-documented` by the operator, or `assumed` by analogy. On an operation it is the least sure of its `x-marks`; a field without one has the certainty of the body or reply that it stands in.',
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
    info: { title: 'Job placement and training platform', version: 'v1', description: description(entities) },
    tags: tags(entities),
    paths: paths(listed, refer, servers, examples.operations ?? {}),
    webhooks: Object.fromEntries(
      WEBHOOK_EVENTS.map((event) => [event.name, webhookObject(event, refer, examples.webhooks)]),
    ),
    components: { schemas, parameters: parameters(), responses: errorResponses(refer) },
  };
}

function paths(
  operations: readonly Operation[],
  refer: Refer,
  servers: Readonly<Record<Area, readonly Server[]>>,
  examples: Readonly<Record<OperationName, OperationExamples>>,
): JsonSchema {
  const items: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const shared = {
      servers: servers[operation.area],
      parameters: [{ $ref: '#/components/parameters/id' }, ...HEADER_REFERENCES],
    };
    items[operation.path] = {
      ...(items[operation.path] ?? shared),
      [operation.method.toLowerCase()]: operationObject(operation, refer, examples[operation.name]),
    };
  }
  return items;
}
