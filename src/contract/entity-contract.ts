import type { z } from 'zod';
import type { DoubtRule } from './doubts/doubt.js';
import type { Operation, OperationKind, OperationName } from './operation.js';

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
