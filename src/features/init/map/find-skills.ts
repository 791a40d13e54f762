import { skillCodeSql } from '../../../core/contract/doubts.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { linksFrom, linksTo } from '../links.js';
import { columnSql, sqlOf } from '../sql-text.js';
import { findStem, isReadable, plainName, SKILL_WORDS, type Stems, stems, wordsOf } from '../words.js';
import { type DraftColumn, draftColumn } from './draft-query.js';
import { fullName, type Place, type Scope } from './scope.js';

/** The skills of a vacancy: a table of pairs or of texts as one group, else a list or text of the vacancy's own. */
export function findSkills(scope: Scope, place: Place, own: CatalogColumn | undefined): DraftColumn | null {
  return (
    fromChild(scope, place, SKILL_WORDS) ??
    (own ? fromColumn(place, own) : null) ??
    fromChild(scope, place, TAGS)
  );
}

const TAGS = stems('tag, keyword, label');

function fromChild(scope: Scope, place: Place, words: Stems): DraftColumn | null {
  for (const down of linksTo(scope.links, place.table)) {
    const up = linksFrom(scope.links, down.from).find(
      ({ to }) => to.oid !== place.table.oid && findStem(wordsOf(to.name), words) >= 0,
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
    return draftColumn({
      ...SKILLS,
      sql: `coalesce(${alias}.skills, cast('{}' as text[]))`,
      from: fullName(up?.to ?? down.from, label.name),
    });
  }
  return null;
}

function labelOf(table: CatalogTable, link: string): CatalogColumn | undefined {
  const fit = table.columns.filter(
    (column) => isReadable(column) && ['text', 'enum', 'json'].includes(column.kind) && column.name !== link,
  );
  const labels = fit.filter(({ name }) => LABEL.test(plainName(name)));
  return (
    labels.find(({ name }) => /name|nama|label|title|skill/.test(plainName(name))) ??
    labels[0] ??
    fit.find(({ name }) => !table.primaryKey?.includes(name))
  );
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
  return draftColumn({
    ...SKILLS,
    sql: `array(select distinct ${skillCodeSql(value)} from ${elements} order by 1)`,
    column: own,
    from: fullName(place.table, own.name),
    comments: ['The platform wants skills in lower-case snake_case.'],
  });
}

const SKILLS = { target: 'skills', kind: 'list' } as const;
