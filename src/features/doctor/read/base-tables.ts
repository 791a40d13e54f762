/** The text of the CTE or the subquery that stands in a FROM; undefined: it is neither. */
export function innerQuery(
  { baseSql }: { readonly baseSql: string },
  ctes: ReadonlyMap<string, string>,
): string | undefined {
  return subquery(baseSql) ?? ctes.get(/^\w+/.exec(baseSql)?.[0].toLowerCase() ?? '');
}

/** What stands between the parentheses of `( select … ) alias`. */
function subquery(sql: string): string | undefined {
  return /^\(([^]*)\)[^)]*$/.exec(sql)?.[1];
}
