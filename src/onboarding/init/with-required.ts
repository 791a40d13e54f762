import { draftable } from './draftable.js';
import type { DraftColumn, DraftQuery } from './draft-query.js';
import { NULL_TEXT } from './sql-text.js';

/**
 * The draft with every column that the worker asks for: null with a line to decide where nothing was found, so that all
 * the rest can be checked. Pure.
 */
export function withRequired(query: DraftQuery): DraftQuery {
  const { entity, targets } = draftable(query.entity);
  const needed = entity.columns.filter(
    ({ name, required }) => required === true || entity.assumedRequired.includes(name),
  );
  const lacking = needed.filter(({ name }) => !query.columns.some(({ target }) => target === name));
  if (lacking.length === 0) return query;
  const order = ['key', entity.parent?.column ?? '', ...targets.map(({ name }) => name)];
  const empty = lacking.map(({ name, required }): DraftColumn => ({
    target: name,
    kind: 'key',
    sql: NULL_TEXT,
    column: null,
    from: '',
    personal: false,
    codes: null,
    comments: [
      `decide: nothing was found for ${name}; ${required === true ? 'no record is sent without it' : `find it in another table, or set required: [] of ${query.entity} in placement-sync.yaml, which sends the records without it`}`,
    ],
  }));
  const columns = [...query.columns, ...empty].sort(
    (a, b) => order.indexOf(a.target) - order.indexOf(b.target),
  );
  return { ...query, columns };
}
