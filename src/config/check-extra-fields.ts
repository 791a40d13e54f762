import { bodyFields } from '../contract/schema-fields.js';
import { operation } from '../entities/index.js';
import type { Entity } from '../entities/entity.js';
import type { Problem } from './problem.js';

/** Names of letters, digits, `_` and `-` between points; never `__proto__`. */
const PATH_FORM = /^[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*$/;

/**
 * Extra fields must not meet a field of the interface, or each other; their columns must not be columns of the
 * contract, whose values go through the rules of their field.
 *
 * @param extraFields path of the body and column, perhaps with mistakes: the schema reports a column that is not text
 */
export function checkExtraFields(
  entity: Entity,
  extraFields: readonly (readonly [path: string, column: unknown])[],
): Problem[] {
  const fields = bodyFields(operation(entity.put).body);
  const columns = entity.columns.map(({ name }) => name);
  return extraFields.flatMap(([path, column]) => {
    const messages: string[] = [];
    const [top = ''] = path.split('.');
    const other = extraFields.find(([each]) => path.startsWith(`${each}.`))?.[0];
    if (!PATH_FORM.test(path)) messages.push('must be the name of a field, or names joined by dots');
    else if (fields.includes(top)) {
      messages.push(
        `"${top}" is a field of the interface; fill it with its own columns (docs/reference/columns.md)`,
      );
    } else if (other !== undefined)
      messages.push(`lies within the extra field "${other}"; keep one of the two`);
    if (typeof column === 'string' && columns.includes(column)) {
      messages.push(
        `the column "${column}" already fills another field; return the value a second time under another name`,
      );
    }
    return messages.map((message) => ({ path: ['entities', entity.name, 'extraFields', path], message }));
  });
}
