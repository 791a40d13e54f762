import { conditionSql } from './condition-lines.js';
import { draftable } from './draftable.js';
import type { DraftQuery, ParentCondition } from './draft-query.js';
import type { QueryFacts } from './facts.js';
import { NULL_TEXT } from './sql-text.js';

/**
 * The conditions that a draft offers for the parents, once more for their children: what the query of companies leaves out,
 * vacancies wait for. Null: the parents have none, or no column names the parent. Pure.
 *
 * @param parent the draft of the parent, if there is one, with what was counted for it
 */
export function parentCondition(
  child: DraftQuery,
  parent: { readonly query: DraftQuery; readonly facts: Pick<QueryFacts, 'conditions'> } | undefined,
): ParentCondition | null {
  const relation = draftable(child.entity).entity.parent;
  if (!relation || !parent) return null;
  const { table, alias, columns, conditions, entity } = parent.query;
  const own = child.columns.find(({ target }) => target === relation.column);
  const key = columns.find(({ target }) => target === 'key');
  // What is over is asked of each record itself, and a subquery is no table.
  const plain = conditions.filter(({ kind, joins }) => kind !== 'closing' && joins.length === 0);
  if (!own || own.sql === NULL_TEXT || !key || plain.length === 0 || table.sqlName.startsWith('('))
    return null;
  // Within the subquery the parent's alias would hide that of a join of the same name.
  if (new RegExp(`(?<![\\w"])${alias}\\.`).test(own.sql)) return null;
  const texts = plain.map((condition) =>
    conditionSql(condition, parent.facts.conditions.get(condition.sql) ?? null),
  );
  return {
    question: `will queries/${entity}.sql leave ${entity} out? Their ${child.entity} would wait for ever, so leave these out by the same conditions`,
    sql: `exists (select 1 from ${table.sqlName} ${alias} where ${[`${key.sql} = ${own.sql}`, ...texts].join(' and ')})`,
  };
}
