import { z } from 'zod';
import { ERROR_ANSWERS, type ErrorAnswer, invalidFieldsBody, refusalBody } from '../error-answers.js';
import {
  documentedSchema,
  documentedTypes,
  type JsonSchema,
  serverInformation,
} from '../../../core/contract/reply-fields.js';
import {
  CERTAINTY_KEY,
  CERTAINTY_WORDS,
  type EntityContract,
  type Operation,
} from '../../../core/contract/operation.js';
import { extendedRegionRecord, regionRecord, regionReference } from '../../../core/contract/region.js';
import { REQUEST_HEADERS, type RequestHeader } from './request-headers.js';
import {
  achievementRecord,
  applicationJob,
  appliedAtApplication,
  certificationRecord,
  educationRecord,
  experienceRecord,
  flatApplication,
  jobSeeker,
  languageRecord,
  trainingRecord,
} from '../../webhook/contract/events.js';

/** References to the four headers of a webhook. */
export const WEBHOOK_HEADERS: readonly JsonSchema[] = REQUEST_HEADERS.map((header) =>
  reference(webhookHeader(header).key),
);

/**
 * References to the parameters of an operation: the id in its path. The four headers are security schemes only: as
 * parameters, a generated client would ask every caller for a signature that only its interceptor can make.
 */
export function parameterReferences({ kind }: Pick<Operation, 'kind'>): readonly JsonSchema[] {
  return [reference(kind === 'PATCH' ? 'application-id' : 'id')];
}

function reference(parameter: string): JsonSchema {
  return { $ref: `#/components/parameters/${parameter}` };
}

/** `components.parameters`: the ids in paths, and the headers of webhooks. */
export function parameters(): Record<string, JsonSchema> {
  return {
    id: pathId('UUID of the record, chosen by the client.'),
    'application-id': pathId(
      'UUID of the job application, chosen by the platform: the `id` of the webhook that reported it.',
    ),
    ...Object.fromEntries(
      REQUEST_HEADERS.map((header) => {
        const { key, value } = webhookHeader(header);
        return [key, value];
      }),
    ),
  };
}

function pathId(description: string): JsonSchema {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', format: 'uuid' },
    example: exampleId(1),
    [CERTAINTY_KEY]: 'specified',
  };
}

function webhookHeader(header: RequestHeader): { readonly key: string; readonly value: JsonSchema } {
  const { meaning, formCertainty, pattern, example } = header.ofWebhook ?? header;
  return {
    key: header.ofWebhook === undefined ? header.name : `Webhook-${header.name}`,
    value: {
      name: header.name,
      in: 'header',
      required: true,
      description: meaning,
      schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
      example,
      [CERTAINTY_KEY]: 'specified',
      'x-marks': { header: 'specified', form: CERTAINTY_WORDS[formCertainty] },
    },
  };
}

/** `components.securitySchemes`: the four headers; a request needs all of them. */
export function securitySchemes(): Record<string, JsonSchema> {
  return Object.fromEntries(
    REQUEST_HEADERS.map(({ name, meaning, formCertainty, example }) => [
      name,
      {
        type: 'apiKey',
        in: 'header',
        name,
        description: `${meaning} Example: \`${example}\``,
        'x-marks': { header: 'specified', form: CERTAINTY_WORDS[formCertainty] },
      },
    ]),
  );
}

/** Every request and webhook needs all schemes together. */
export const SECURITY: readonly JsonSchema[] = [
  Object.fromEntries(REQUEST_HEADERS.map(({ name }) => [name, []])),
];

/** `components.responses`: the refusals. */
export function errorResponses(refer: Refer): Record<string, JsonSchema> {
  return Object.fromEntries(ERROR_ANSWERS.map((answer) => [answer.name, errorResponse(answer, refer)]));
}

function errorResponse(answer: ErrorAnswer, refer: Refer): JsonSchema {
  const { meaning, certainty, body, retryAfter, page } = answer;
  const headers = {
    'Retry-After': {
      description: 'Seconds to wait, or an HTTP date.',
      schema: { type: 'string' },
      example: '30',
    },
  };
  return {
    description: page ? `${meaning} The body may be a web page or plain text.` : meaning,
    ...(retryAfter ? { headers } : {}),
    content: {
      'application/json': { schema: refer(body) },
      ...(page
        ? { 'text/html': { schema: { type: 'string' } }, 'text/plain': { schema: { type: 'string' } } }
        : {}),
    },
    [CERTAINTY_KEY]: CERTAINTY_WORDS[certainty],
    'x-marks': { status: CERTAINTY_WORDS[certainty], body: CERTAINTY_WORDS.assumed },
  };
}

/** A reference to a schema that has a name of its own in the document; the JSON schema itself of every other one. */
export type Refer = (schema: z.ZodType) => JsonSchema;

/** Named schemas that belong to no entity. */
const REGIONS: Readonly<Record<string, z.ZodType>> = {
  RegionReference: regionReference,
  RegionRecord: regionRecord,
  ExtendedRegionRecord: extendedRegionRecord,
};
const MESSAGES: Readonly<Record<string, z.ZodType>> = {
  ApplicationJob: applicationJob,
  JobSeeker: jobSeeker,
  ExperienceRecord: experienceRecord,
  TrainingRecord: trainingRecord,
  EducationRecord: educationRecord,
  CertificationRecord: certificationRecord,
  AchievementRecord: achievementRecord,
  LanguageRecord: languageRecord,
  AppliedAtApplication: appliedAtApplication,
  FlatApplication: flatApplication,
  ServerInformation: serverInformation,
  Refusal: refusalBody,
  InvalidFields: invalidFieldsBody,
};

/** `components.schemas` of the document, the entities' own in their order, and how to refer to them. */
export function componentSchemas(entities: readonly Pick<EntityContract, 'schemas'>[]): {
  readonly schemas: Record<string, JsonSchema>;
  readonly refer: Refer;
} {
  const named = Object.entries(
    Object.assign({}, REGIONS, ...entities.map(({ schemas }) => schemas), MESSAGES) as typeof REGIONS,
  );
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of named) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (name) => `#/components/schemas/${name}`,
    override: documentedTypes,
  });
  return {
    schemas: Object.fromEntries(
      named.map(([name]) => {
        // In a document of many schemas, these two would declare each schema a document of its own.
        const { $schema: _dialect, $id: _id, ...schema } = schemas[name] as JsonSchema;
        return [name, schema];
      }),
    ),
    refer(schema) {
      const name = registry.get(schema)?.id;
      if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
      return documentedSchema(schema);
    },
  };
}

/**
 * An id for examples that nobody takes for one of the platform's catalogue.
 * @param number from 0
 */
export function exampleId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
