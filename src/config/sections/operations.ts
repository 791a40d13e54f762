import { z } from 'zod';
import { OPERATION_METHODS, type OperationName } from '../../contract/operation.js';
import { OPERATION_NAMES } from '../../entities/index.js';
import { choice, flag } from '../setting-types.js';
import { acceptedStatuses } from './replies.js';

/** Where an operation is. */
export const operationRoute = z.strictObject({
  method: choice(OPERATION_METHODS).optional(),
  path: z
    .string()
    .regex(
      /^(?!.*\{id\}.*\{id\})\/[^?#\s]*\{id\}[^?#\s]*$/,
      'must begin with "/" and contain "{id}" once, such as /api/v1/things/{id}',
    )
    .meta({ type: 'a path with {id} in it' })
    .optional(),
});

/** What the configuration may say about one operation. */
const operationSettings = operationRoute.extend({
  accepted: acceptedStatuses().optional(),
  enabled: flag().optional(),
});

const OVERRIDES = Object.fromEntries(
  OPERATION_NAMES.map((name) => [name, operationSettings.optional()]),
) as Record<OperationName, z.ZodOptional<typeof operationSettings>>;

/** A block for every operation of the contract. */
export const operationOverrides = z.strictObject(OVERRIDES);
