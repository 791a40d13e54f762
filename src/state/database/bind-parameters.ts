/** Named parameters of a statement. `:name` is a value; `:schema:` stands for the schema in every statement. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A statement as pg takes it. */
export interface BoundStatement {
  /** With `$1` and so on. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Not the second colon of a cast. A name that no parameter has is part of a literal, such as `HH24:MI`. */
const NAMED = /(?<!:):(\w+)(:?)/g;

/**
 * Puts `$1` and so on in place of names, and the quoted schema in place of `:schema:`. Each occurrence is a parameter of its
 * own, because the server derives its type from where it stands. Pure.
 */
export function bindParameters(sql: string, schema: string, parameters: Parameters): BoundStatement {
  const values: unknown[] = [];
  const text = sql.replace(NAMED, (found, name: string, colon: string) => {
    if (colon === ':' && name === 'schema') return `"${schema.replaceAll('"', '""')}"`;
    if (!Object.hasOwn(parameters, name)) return found;
    values.push(parameters[name]);
    return `$${String(values.length)}${colon}`;
  });
  return { text, values };
}
