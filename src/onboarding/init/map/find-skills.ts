import { skillCodeSql } from '../../../contract/doubts.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { columnSql } from '../sql-text.js';
import { findStem, isPersonalColumn, SKILL_WORDS, stems, wordsOf } from '../words.js';
import type { DraftColumn } from './draft-query.js';
import { fullName, type Place, type Scope, sqlOf } from './scope.js';

/** The skills of a vacancy: a table of pairs or of texts as one group, else a list or text of the vacancy's own. */
export function findSkills(scope: Scope, place: Place, own: CatalogColumn | undefined): DraftColumn | null {
  return (
    fromChild(scope, place, SKILL_WORDS) ??
    (own ? fromColumn(place, own) : null) ??
    fromChild(scope, place, TAGS)
  );
}

const TAGS = stems('tag, keyword, label');

function fromChild(scope: Scope, place: Place, words: readonly (readonly string[])[]): DraftColumn | null {
  for (const down of scope.links.filter(
    ({ from, to }) => to.oid === place.table.oid && from.oid !== to.oid,
  )) {
    const up = scope.links.find(
      ({ from, to }) =>
        from.oid === down.from.oid &&
        to.oid !== place.table.oid &&
        (findStem(wordsOf(to.name), words) >= 0 ||
          // The skills among the tags of all records: the rows say so, the list does not.
          (down.from.polymorphic === true && findStem(wordsOf(down.from.name), words) >= 0)),
    );
    if (!up && findStem(wordsOf(down.from.name), words) < 0) continue;
    const label = labelOf(up?.to ?? down.from, down.column);
    if (!label) continue;
    const child = scope.short(down.from.name);
    const list = up ? scope.short(up.to.name) : child;
    const code = skillCodeSql(labelText(columnSql(list, label), label.kind));
    const key = up ? sqlOf(up.to, up.toColumn) : '';
    const upColumn = up ? sqlOf(up.from, up.column) : '';
    const downColumn = sqlOf(down.from, down.column);
    const alias = scope.child(place, down, {
      alias: 'listed',
      from: [
        'from (',
        `  select ${child}.${downColumn}, ${code} as code`,
        `  from ${down.from.sqlName} ${child}`,
        ...(up ? [`  join ${up.to.sqlName} ${list} on ${list}.${key} = ${child}.${upColumn}`] : []),
        ') listed',
      ],
      picks: [
        { name: 'skills', sql: 'array_agg(distinct listed.code order by listed.code)', personal: false },
      ],
      comment: 'The platform wants skills in lower-case snake_case. No skills give an empty list, not null.',
    });
    return column(
      `coalesce(${alias}.skills, cast('{}' as text[]))`,
      fullName(up?.to ?? down.from, label.name),
      null,
      [],
    );
  }
  return null;
}

function labelOf(table: CatalogTable, link: string): CatalogColumn | undefined {
  const fit = table.columns.filter(
    ({ name, kind, selectable }) =>
      selectable && ['text', 'enum', 'json'].includes(kind) && name !== link && !isPersonalColumn(name),
  );
  const rank = ({ name }: CatalogColumn) =>
    /name|nama|label|title|skill/.test(wordsOf(name).join('_')) ? 0 : 1;
  const [best] = fit
    .filter(({ name }) => LABEL.test(wordsOf(name).join('_')))
    .sort((a, b) => rank(a) - rank(b));
  return best ?? fit.find(({ name }) => !table.primaryKey?.includes(name));
}

const LABEL =
  /^(name|nama|nm|label|title|code|kode|slug|skill|keahlian|tag|value|.*_name|nama_.*|keterampilan|kompetensi|.*skill.*)$/;

function labelText(sql: string, kind: CatalogColumn['kind']): string {
  if (kind === 'text') return sql;
  if (kind !== 'json') return `${sql}::text`;
  // One language: Indonesian before all others.
  return `(select t.value from jsonb_each_text(${sql}::jsonb) t order by (t.key ilike 'id%') desc, t.key limit 1)`;
}

function fromColumn(place: Place, own: CatalogColumn): DraftColumn {
  const sql = columnSql(place.alias, own);
  const elements =
    own.kind === 'array'
      ? `unnest(${sql}) s(value)`
      : own.kind === 'json'
        ? `jsonb_array_elements_text(case when jsonb_typeof(${sql}::jsonb) = 'array' then ${sql}::jsonb else '[]' end) s(value)`
        : `unnest(regexp_split_to_array(${sql}, '[,;|\\n]')) s(value)`;
  const value = own.kind === 'array' && own.elementKind !== 'text' ? 's.value::text' : 's.value';
  return column(
    `array(select distinct ${skillCodeSql(value)} from ${elements} order by 1)`,
    fullName(place.table, own.name),
    own,
    ['The platform wants skills in lower-case snake_case.'],
  );
}

export function column(
  sql: string,
  from: string,
  of: CatalogColumn | null,
  comments: readonly string[],
): DraftColumn {
  return { target: 'skills', kind: 'list', sql, column: of, from, personal: false, codes: null, comments };
}
