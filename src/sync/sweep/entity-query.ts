import { queryColumns } from '../../entities/query-columns.js';
import type { EntityQuery } from '../../ports/source.js';
import type { EntityPlan } from '../entity-plan.js';

/** The plan's query with the columns it must and may return. */
export function entityQuery(plan: EntityPlan): EntityQuery {
  return {
    entity: plan.entity.name,
    sql: plan.sql,
    file: plan.queryFile,
    columns: queryColumns(plan.entity, plan.mapContext.required, plan.mapContext.extraFields),
  };
}
