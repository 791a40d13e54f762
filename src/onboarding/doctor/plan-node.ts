/** The parts of a node of EXPLAIN (FORMAT JSON, VERBOSE) that are used here. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly 'Plan Rows'?: number;
  readonly Filter?: string;
  readonly 'Join Filter'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Subplan Name'?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** A table that a plan reads. */
export interface PlannedTable {
  readonly schema: string;
  readonly name: string;
}

/** Every table that a plan reads, each once. Pure. */
export function plannedTables(node: PlanNode): readonly PlannedTable[] {
  const found = new Map<string, PlannedTable>();
  const visit = (each: PlanNode): void => {
    const { Schema: schema, 'Relation Name': name, Plans = [] } = each;
    if (schema !== undefined && name !== undefined)
      found.set(JSON.stringify([schema, name]), { schema, name });
    Plans.forEach(visit);
  };
  visit(node);
  return [...found.values()];
}
