import type { z } from 'zod';
import type { Certainty } from './certainty.js';

/** As the operator's libraries name it: `putCompany`. The contracts of the entities define them. */
export type OperationName = string;

/** What an operation does, named by the method that the contract gives it. */
export type OperationKind = 'PUT' | 'GET' | 'DELETE' | 'PATCH';

/** What a configuration may send instead. */
export const OPERATION_METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const;

export type OperationMethod = (typeof OPERATION_METHODS)[number];

export interface Operation {
  readonly name: OperationName;
  /** The operator's own name of it. */
  readonly title: string;
  readonly area: 'jobs' | 'training';
  readonly entity: string;
  /** Stays as it is when the configuration changes `method`. */
  readonly kind: OperationKind;
  readonly method: OperationMethod;
  /** Relative to the area's base address; `{id}` stands for the record's UUID. */
  readonly path: string;
  /** The interface's label; null where it gives none. */
  readonly maturity: 'Testing' | 'Developing' | null;
  readonly certainty: {
    readonly method: Certainty;
    readonly path: Certainty;
    /** Null: the operation has no body. */
    readonly body: Certainty | null;
    readonly reply: Certainty;
  };
  /** Deletes are off until the operator enables them. */
  readonly enabledByDefault: boolean;
  readonly hasBody: boolean;
  /** Statuses that mean that it was done; undefined: the area's. A status that is named here may come without a body. */
  readonly accepted?: readonly number[] | undefined;
  /** The request body; null: none is sent. */
  readonly body: z.ZodType | null;
  /** `data` of the reply's envelope, read leniently. */
  readonly reply: z.ZodType;
}

/** Operations by name; with the methods and paths of a configuration, or as the contract has them. */
export type Operations = Readonly<Record<OperationName, Operation>>;

/**
 * @param path template of an operation, perhaps overridden by configuration, with `{id}` in it
 * @param id the record's UUID
 * @returns the path to append to the area's base address
 */
export function operationPath(path: string, id: string): string {
  // A function, because a replacement text would read `$&` as a pattern.
  return path.replace('{id}', () => encodeURIComponent(id));
}
