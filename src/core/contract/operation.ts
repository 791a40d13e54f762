import type { z } from 'zod';
import type { DoubtRule } from './doubts.js';

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

/** Shown in the interface in full. */
export const SHOWN = {
  maturity: 'Testing',
  certainty: { method: 'specified', path: 'specified', body: 'specified', reply: 'specified' },
} as const;

export const SHOWN_FIND = { maturity: 'Testing', certainty: { ...SHOWN.certainty, body: null } } as const;

/** Listed in the interface with its method, without path and reply. */
export const LISTED = {
  maturity: null,
  certainty: { method: 'specified', path: 'assumed', body: null, reply: 'assumed' },
} as const;

/** Named in the interface; the method is on the operator's public pages. */
export const NAMED = { maturity: null, certainty: { ...LISTED.certainty, method: 'documented' } } as const;

/**
 * How sure a fact is. `specified`: stated in the service interface. `documented`: on the operator's public
 * pages. `assumed`: by analogy with what is stated.
 */
export type Certainty = 'specified' | 'documented' | 'assumed';

/** The words that readers outside the code see. */
export const CERTAINTY_WORDS: Readonly<Record<Certainty, string>> = {
  specified: 'specified',
  documented: 'publicly-documented',
  assumed: 'assumed',
};

/** Name of the certainty in JSON schemas and in OpenAPI. */
export const CERTAINTY_KEY = 'x-mark';

/**
 * The same schema with its own certainty, for a field that is less or more sure than the body it stands in.
 * Validation does not change; the OpenAPI document reads it.
 */
export function withCertainty<T extends z.ZodType>(schema: T, certainty: Certainty): T {
  return schema.meta({ ...schema.meta(), [CERTAINTY_KEY]: CERTAINTY_WORDS[certainty] });
}

/** What the platform's interface says about one kind of record. One file each, which the entity's own file imports. */
export interface EntityContract {
  /** As in the configuration, the CLI, the ledger and the metrics. */
  readonly name: string;
  readonly area: Operation['area'];
  /** A record, and several, in the platform's own messages. */
  readonly noun: { readonly one: string; readonly many: string };
  /** The body's field that names a record for people; null: there is none. */
  readonly label: string | null;
  /** Everything the platform lists for these records, also what it lists without detail (interface §4). */
  readonly operations: readonly Operation[];
  /** The operation that sends a record. */
  readonly put: OperationName;
  /** The operation that `onVanished: delete` sends; null where the platform has none. */
  readonly delete: OperationName | null;
  /** What is probably wrong in a body that fits its schema. */
  readonly doubts: readonly DoubtRule[];
  /** Schemas that have a name of their own in the OpenAPI document; every other one stands where it is used. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
}

type Described = Pick<Operation, 'name' | 'title' | 'maturity' | 'certainty' | 'reply'> &
  Partial<Pick<Operation, 'body'>> & { readonly method: OperationKind };

/** Completes what a contract's file describes. All operations of a record share its path. */
export function entityContract(
  described: Pick<EntityContract, 'name' | 'area' | 'noun' | 'label' | 'schemas'> & {
    readonly path: string;
    readonly operations: readonly Described[];
    readonly doubts?: readonly DoubtRule[];
  },
): EntityContract {
  const { path, operations, doubts = [], ...rest } = described;
  const by = (...methods: readonly string[]) => operations.find(({ method }) => methods.includes(method));
  const put = by('PUT', 'PATCH');
  if (put === undefined)
    throw new TypeError(`the contract of ${described.name} has no operation that sends a record`);
  return {
    ...rest,
    doubts,
    put: put.name,
    delete: by('DELETE')?.name ?? null,
    operations: operations.map(({ body = null, ...operation }) => ({
      ...operation,
      area: described.area,
      entity: described.name,
      kind: operation.method,
      path,
      enabledByDefault: operation.method !== 'DELETE',
      hasBody: body !== null,
      body,
    })),
  };
}
