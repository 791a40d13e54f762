import type { DraftJoin, DraftQuery } from './draft-query.js';

/**
 * The FROM of a draft, line by line. Only the joins that `expressions` need, and those that these need.
 *
 * @param personal whether the groups of children may name columns that belong to people
 */
export function renderFrom(
  query: Pick<DraftQuery, 'table' | 'alias'> & { readonly joins: readonly DraftJoin[] },
  expressions: readonly string[],
  { personal, comments }: { readonly personal: boolean; readonly comments: boolean },
): readonly string[] {
  const needed = neededJoins(query.joins, expressions);
  return [
    `from ${query.table.sqlName} ${query.alias}`,
    ...needed.flatMap((join) => {
      const lines = comments && join.comment !== null ? [`-- ${join.comment}`] : [];
      return [...lines, ...renderJoin(join, personal)];
    }),
  ];
}

function neededJoins(joins: readonly DraftJoin[], expressions: readonly string[]): readonly DraftJoin[] {
  const names = (text: string, alias: string) => new RegExp(`(?<![\\w"])${alias}\\.`).test(text);
  const needed = new Set<DraftJoin>();
  const texts = [...expressions];
  for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
    for (const join of joins) {
      if (needed.has(join) || !names(text, join.alias)) continue;
      needed.add(join);
      texts.push(join.on);
    }
  }
  return joins.filter((join) => needed.has(join));
}

function renderJoin(join: DraftJoin, personal: boolean): readonly string[] {
  if (join.kind === 'parent') return [`left join ${join.table} ${join.alias} on ${join.on}`];
  const picks = join.picks.map(
    ({ name, sql, personal: own }) => `${own && !personal ? 'cast(null as text)' : sql} as ${name}`,
  );
  return [
    'left join (',
    `  select ${[join.groupBy, ...picks].join(',\n    ')}`,
    ...join.from.map((line) => `  ${line}`),
    `  group by ${join.groupBy}`,
    `) ${join.alias} on ${join.on}`,
  ];
}
