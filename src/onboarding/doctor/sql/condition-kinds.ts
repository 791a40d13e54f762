import { concernsOnly } from './concerns-only.js';

/** A table of a FROM as conditions name it. */
export interface NamedColumns {
  readonly alias: string;
  /** Empty: not known. */
  readonly columns: readonly string[];
}

export interface ConditionKinds {
  /** About the one table alone. */
  readonly own: readonly string[];
  /** About several tables: in a list of tables they are what joins these. */
  readonly joining: readonly string[];
}

/** Sorts the conditions of a WHERE by the tables that they name; those of one other table are left out. Pure. */
export function conditionKinds(
  conditions: readonly string[],
  one: NamedColumns,
  others: readonly NamedColumns[],
): ConditionKinds {
  const about = (condition: string, table: NamedColumns): boolean =>
    isAbout(condition, table, [one, ...others]);
  const own = conditions.filter((condition) => about(condition, one));
  const joining = conditions.filter(
    (condition) => !own.includes(condition) && !others.some((other) => about(condition, other)),
  );
  return { own, joining };
}

/** Whether a condition is about one of the tables alone. Pure. */
export function isAboutOne(condition: string, tables: readonly NamedColumns[]): boolean {
  return tables.some((table) => isAbout(condition, table, tables));
}

function isAbout(condition: string, table: NamedColumns, all: readonly NamedColumns[]): boolean {
  const rest = all.filter((each) => each !== table);
  const columns = new Set(table.columns);
  return concernsOnly(condition, {
    alias: table.alias,
    columns,
    otherAliases: new Set(rest.map(({ alias }) => alias)),
    otherColumns: new Set(rest.flatMap((each) => each.columns).filter((name) => !columns.has(name))),
  });
}
