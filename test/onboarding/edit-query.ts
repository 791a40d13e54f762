import type { QueryDecisions } from './schema-files.js';

/** A drafted query, taken apart. */
interface Parts {
  /** Comments in front of the query. */
  readonly head: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly from: string;
  readonly base: string;
}

/**
 * What an engineer does with a drafted query: other expressions for some columns, further joins, and the conditions in
 * place of the lines that are to be decided. In a decision `base.` is the table of the records.
 */
export function editQuery(draft: string, { columns = {}, joins = '', where }: QueryDecisions): string {
  const parts = takeApart(draft);
  const own = (sql: string): string => sql.replaceAll(/\bbase\./g, `${parts.base}.`);
  const list = new Map([...parts.columns, ...Object.entries(columns)]);
  return [
    parts.head,
    'select',
    [...list].map(([name, sql]) => `  ${own(sql)} as ${name}`).join(',\n'),
    parts.from,
    own(joins).trimEnd(),
    `where ${where.map((condition) => own(condition)).join('\n  and ')}`,
    '',
  ].join('\n');
}

function takeApart(draft: string): Parts {
  const match =
    /^(?<head>[\s\S]*?)^select\n(?<list>[\s\S]*?)^(?<from>from \S+ (?<base>\w+)$[\s\S]*?)^where true$/m.exec(
      draft,
    );
  const { head = '', list = '', from = '', base = '' } = match?.groups ?? {};
  if (match === null) throw new Error(`not in the form of a draft:\n${draft}`);
  const columns = list
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('--'))
    .map((line) => {
      const [, sql, name] = /^ {2}(.*?) +as (\w+),?$/.exec(line) ?? [];
      if (sql === undefined || name === undefined) throw new Error(`not a line of a draft: ${line}`);
      return [name, sql] as const;
    });
  return { head: head.trimEnd(), columns: new Map(columns), from: from.trimEnd(), base };
}
