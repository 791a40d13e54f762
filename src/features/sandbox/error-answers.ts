import { z } from 'zod';
import type { Certainty, OperationKind } from '../../core/contract/operation.js';

/** Body of a refusal: assumed, as a Laravel application answers. */
export const refusalBody = z.looseObject({ message: z.string() });

/** Body of 422: what is wrong, by the dotted path of each field. */
export const invalidFieldsBody = z.looseObject({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

/** One way in which the platform refuses a request. The interface shows none of them (§7). */
export interface ErrorAnswer {
  /** `5XX`: every other status from 500 on. */
  readonly status: number | '5XX';
  readonly name: string;
  readonly meaning: string;
  /** Of the status; every body is assumed. */
  readonly certainty: Certainty;
  readonly body: z.ZodType;
  readonly methods: readonly OperationKind[];
  readonly retryAfter?: true;
  /** A proxy or gateway may answer too, with a web page. */
  readonly page?: true;
}

/** What holds where a row does not say otherwise. */
const USUAL = {
  certainty: 'assumed',
  body: refusalBody,
  methods: ['PUT', 'GET', 'DELETE', 'PATCH'],
} as const;
const WITH_BODY = ['PUT', 'PATCH'] as const;

const ANSWERS = [
  { status: 400, name: 'BadRequest', meaning: 'A header is missing, or the body is not JSON.' },
  {
    status: 401,
    name: 'Unauthorized',
    meaning: 'Client, signature or time of the request were not accepted.',
    certainty: 'documented',
  },
  {
    status: 403,
    name: 'Forbidden',
    meaning: 'The edge in front of the platform refused the request.',
    page: true,
  },
  { status: 404, name: 'NotFound', meaning: 'There is no record with this id.' },
  { status: 406, name: 'NotAcceptable', meaning: 'Accept does not allow application/json.' },
  { status: 409, name: 'Conflict', meaning: 'The Request-Id was used before.' },
  { status: 413, name: 'BodyTooLarge', meaning: 'The body is too large.', methods: WITH_BODY },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    meaning: 'Content-Type is not application/json.',
    methods: WITH_BODY,
  },
  {
    status: 422,
    name: 'InvalidFields',
    meaning: 'Fields of the body are invalid; errors names them.',
    body: invalidFieldsBody,
    methods: WITH_BODY,
  },
  { status: 422, name: 'StillNamed', meaning: 'Other records still name this one.', methods: ['DELETE'] },
  {
    status: 429,
    name: 'TooManyRequests',
    meaning: 'Too many requests; Retry-After says when to go on.',
    retryAfter: true,
  },
  { status: 500, name: 'ServerError', meaning: 'The platform failed.', page: true },
  {
    status: 503,
    name: 'ServiceUnavailable',
    meaning: 'The platform is down; Retry-After may say until when.',
    retryAfter: true,
    page: true,
  },
  { status: '5XX', name: 'GatewayError', meaning: 'A gateway in front of the platform failed.', page: true },
] as const satisfies readonly (Omit<ErrorAnswer, keyof typeof USUAL> & Partial<ErrorAnswer>)[];

export const ERROR_ANSWERS: readonly ErrorAnswer[] = ANSWERS.map((answer) => ({ ...USUAL, ...answer }));

/** The statuses by name; the sandbox refuses with no other. */
export type ErrorStatus = Extract<(typeof ANSWERS)[number]['status'], number>;
