import type { z } from 'zod';
import { allowNulls, type BodyProblem, bodyProblems, withoutField } from '../contract/schema-fields.js';
import { findDoubts } from '../contract/doubts.js';
import type { Issue } from '../domain/issue.js';
import type { JsonObject, JsonValue, Row } from '../domain/row.js';
import { platformId } from '../domain/key.js';
import type { Entity, MapContext, Mapped } from './entity.js';
import { extraColumns, withExtraFields } from './columns.js';
import { columnIssue, conversionFault, rowReader, type RowReader, shownValue } from './row-reader.js';

type Contract = Pick<
  Entity,
  'name' | 'columns' | 'assumedRequired' | 'parent' | 'doubts' | 'operations' | 'put'
>;

/**
 * What every entity's map does around its own body. What it composed is checked by the interface's request body, so that
 * the worker sends nothing that the platform is sure to refuse; the extra fields of the configuration come in after that.
 *
 * @param compose builds the body from the reader's values; fields that are undefined are left out, unless the
 *   configuration sends null for their column
 */
export function mapRow(
  entity: Contract,
  row: Row,
  context: MapContext,
  compose: (read: RowReader) => Readonly<Record<string, JsonValue | undefined>>,
): Mapped {
  const { extraFields = {} } = context;
  const columns = [...entity.columns, ...extraColumns(extraFields)];
  const read = rowReader({ ...entity, columns }, row, context);
  const key = read.text('key');
  const parentPlatformId = readParent(entity, read, context);
  try {
    return composed();
  } catch (error) {
    // No record may end the work on the others, whatever its values are.
    const found = columnIssue({ name: 'key', description: '' }, conversionFault(error), key);
    return { payload: null, parentPlatformId, issues: [...read.issues, found], warnings: read.warnings };
  }

  function composed(): Mapped {
    const payload = withoutAbsent(compose(read), read);
    const extra = Object.entries(extraFields).flatMap(([path, column]) => {
      const value = read.json(column) ?? read.absent(column);
      return value === undefined ? [] : [[path, value] as const];
    });
    read.finish();
    const issues =
      read.issues.length > 0
        ? read.issues
        : bodyProblems(allowNulls(payloadSchema(entity)), payload).map((problem) =>
            bodyIssue(problem, payload),
          );
    return {
      payload: issues.length > 0 ? null : withExtraFields(payload, extra),
      parentPlatformId,
      issues,
      warnings: issues.length > 0 ? read.warnings : [...read.warnings, ...doubtsOf(entity, payload, context)],
    };
  }
}

const payloadSchemas = new WeakMap<object, z.ZodType>();

/** The interface's request body without the parent object, which is composed when sending. */
export function payloadSchema(entity: Pick<Entity, 'name' | 'operations' | 'put' | 'parent'>): z.ZodType {
  const known = payloadSchemas.get(entity);
  if (known !== undefined) return known;
  const { name, operations, put, parent } = entity;
  const body = operations.find((operation) => operation.name === put)?.body ?? null;
  if (body === null) throw new TypeError(`the contract of ${name} has no body to send`);
  const schema = parent === null ? body : withoutField(body, parent.field);
  payloadSchemas.set(entity, schema);
  return schema;
}

function readParent({ parent }: Contract, read: RowReader, context: MapContext): string | null {
  if (parent === null) return null;
  const key = read.text(parent.column);
  return key === undefined ? null : platformId(parent.entity, key, context.namespace);
}

/** Composed fields, such as a region, follow their columns by themselves. */
function withoutAbsent(fields: Readonly<Record<string, JsonValue | undefined>>, read: RowReader): JsonObject {
  const body: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    const sent = value ?? read.absent(name, value);
    if (sent !== undefined) body[name] = sent;
  }
  return body;
}

/** A doubt names the column too, where the body calls it otherwise. */
function doubtsOf(
  { doubts, columns }: Contract,
  payload: JsonObject,
  { today }: MapContext,
): readonly Issue[] {
  return findDoubts(doubts, payload, today ?? null).map((doubt) => {
    const { field, code, message, value } = doubt;
    const hint = doubt.ruledOut ? `${doubt.hint} A strict platform refuses it.` : doubt.hint;
    const column = columns.find((each) => (each.field ?? each.name) === field) ?? {
      name: field,
      description: '',
    };
    return columnIssue(column, { code, message, hint }, value);
  });
}

function bodyIssue(problem: BodyProblem, payload: JsonObject): Issue {
  const value = problem.field
    .split('.')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], payload);
  return {
    field: problem.field,
    code: problem.code === 'unknown' ? 'refused' : problem.code,
    message: problem.message,
    value: shownValue(value as JsonValue | undefined),
  };
}
