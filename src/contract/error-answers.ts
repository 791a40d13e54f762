import { z } from 'zod';
import type { OperationKind } from './operation.js';
import type { Certainty } from './certainty.js';

/** Body of a refusal: assumed, as a Laravel application answers. */
export const refusalBody = z.looseObject({ message: z.string() });

/** Body of 422: what is wrong, by the dotted path of each field. */
export const invalidFieldsBody = z.looseObject({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

/** One way in which the platform refuses a request. The interface shows none of them (§7). */
export interface ErrorAnswer {
  readonly status: number;
  readonly name: string;
  readonly meaning: string;
  /** Of the status; every body is assumed. */
  readonly certainty: Certainty;
  readonly body: z.ZodType;
  readonly methods: readonly OperationKind[];
  readonly retryAfter: boolean;
}

const ALL = ['PUT', 'GET', 'DELETE', 'PATCH'] as const;

export const ERROR_ANSWERS: readonly ErrorAnswer[] = [
  {
    status: 401,
    name: 'Unauthorized',
    meaning: 'Client, signature or time of the request were not accepted.',
    certainty: 'documented',
    body: refusalBody,
    methods: ALL,
    retryAfter: false,
  },
  {
    status: 404,
    name: 'NotFound',
    meaning: 'There is no record with this id.',
    certainty: 'assumed',
    body: refusalBody,
    methods: ['GET', 'DELETE', 'PATCH'],
    retryAfter: false,
  },
  {
    status: 409,
    name: 'Conflict',
    meaning: 'The Request-Id was used before.',
    certainty: 'assumed',
    body: refusalBody,
    methods: ALL,
    retryAfter: false,
  },
  {
    status: 422,
    name: 'InvalidFields',
    meaning: 'Fields of the body are invalid; errors names them.',
    certainty: 'assumed',
    body: invalidFieldsBody,
    methods: ['PUT', 'PATCH'],
    retryAfter: false,
  },
  {
    status: 429,
    name: 'TooManyRequests',
    meaning: 'Too many requests; Retry-After says when to go on.',
    certainty: 'assumed',
    body: refusalBody,
    methods: ALL,
    retryAfter: true,
  },
];
